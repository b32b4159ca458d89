package org.microhttp.work;

import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Stream;
import javax.lang.model.element.*;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import org.microhttp.EventLoop;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceCompiler;

/**
 * A source with calls of {@link Work} in it, put where the compiler's own tree says: at the beginning of each
 * loop's body and of each method's or lambda's block, and around what a method of the JDK is given and
 * returns, around new arrays and texts put together, as {@link CallCost} says.
 */
final class CountedSource extends TreePathScanner<Void, Void> {

    private static final String WORK = CountedSource.class.getPackageName() + ".Work.";
    private static final String STEP = WORK + "step();";

    /** Of these the length is counted, and of arrays. */
    private static final List<String> MEASURED = List.of("java.lang.CharSequence", "java.util.Collection",
            "java.util.Map", "java.nio.Buffer");

    private final JavacTask task;
    private final Trees trees;
    private final SourcePositions positions;
    private final Elements elements;
    private final CompilationUnitTree unit;
    private final List<TypeMirror> measured;

    /** What is put into the source, by where. */
    private final Map<Long, StringBuilder> insertions = new TreeMap<>();

    /** The tree must be one that the task has analyzed. */
    private CountedSource(JavacTask task, CompilationUnitTree unit) {
        this.task = task;
        this.unit = unit;
        trees = Trees.instance(task);
        positions = trees.getSourcePositions();
        elements = task.getElements();
        measured = MEASURED.stream()
                .map(name -> task.getTypes().erasure(elements.getTypeElement(name).asType())).toList();
        scan(unit, null);
    }

    /** Compiles sources twice: to know what they mean, and with what counts, into a folder. */
    static void compile(Map<String, String> sources, Path folder) throws IOException {
        var counted = new HashMap<String, String>();
        JavacTask task = task(sources, folder);
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        for (CompilationUnitTree unit : units) {
            String name = Readme.name(Path.of(unit.getSourceFile().getName()));
            counted.put(name, new CountedSource(task, unit).text(sources.get(name)));
        }
        task(counted, folder).call();
    }

    private static JavacTask task(Map<String, String> sources, Path folder) {
        return SourceCompiler.task(said -> {
            throw new IllegalStateException(said.toString());
        }, sources, "-proc:none", "-Xlint:none", "-d", folder.toString(), "-cp",
                Programs.location(Work.class) + File.pathSeparator + Programs.location(EventLoop.class));
    }

    private String text(String source) {
        var text = new StringBuilder();
        int from = 0;
        for (var insertion : insertions.entrySet()) {
            int at = Math.toIntExact(insertion.getKey());
            text.append(source, from, at).append(insertion.getValue());
            from = at;
        }
        return text.append(source, from, source.length()).toString();
    }

    private void insert(long at, String text) {
        insertions.computeIfAbsent(at, key -> new StringBuilder()).append(text);
    }

    private void wrap(Tree expression, String before, String after) {
        insert(positions.getStartPosition(unit, expression), before);
        insert(positions.getEndPosition(unit, expression), after);
    }

    private void count(Tree expression) {
        wrap(expression, WORK + "of(", ")");
    }

    @Override
    public Void scan(Tree tree, Void nothing) {
        Tree repeated = tree instanceof WhileLoopTree loop ? loop.getStatement()
                : tree instanceof DoWhileLoopTree loop ? loop.getStatement()
                : tree instanceof ForLoopTree loop ? loop.getStatement()
                : tree instanceof EnhancedForLoopTree loop ? loop.getStatement()
                : tree instanceof LambdaExpressionTree lambda ? lambda.getBody() : null;
        if (repeated instanceof BlockTree block) {
            step(block);
        } else if (repeated instanceof StatementTree statement) {
            wrap(statement, "{ " + STEP, "}");
        }
        if (tree != null && isMade(tree)) count(tree);
        return super.scan(tree, nothing);
    }

    private void step(BlockTree block) {
        insert(positions.getStartPosition(unit, block) + 1, STEP);
    }

    /** A constructor may have to begin with a call of another, and is no step. */
    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
        if (elements.getOrigin(trees.getElement(getCurrentPath())) != Elements.Origin.EXPLICIT) return null;
        if (tree.getBody() != null && tree.getReturnType() != null) step(tree.getBody());
        return super.visitMethod(tree, nothing);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
        var method = (ExecutableElement) trees.getElement(getCurrentPath());
        boolean hasReceiver = tree.getMethodSelect() instanceof MemberSelectTree
                && !method.getModifiers().contains(Modifier.STATIC);
        Stream<ExpressionTree> receiver = hasReceiver
                ? Stream.of(((MemberSelectTree) tree.getMethodSelect()).getExpression()) : Stream.of();
        call(tree, method, receiver, tree.getArguments());
        return super.visitMethodInvocation(tree, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
        call(tree, (ExecutableElement) trees.getElement(getCurrentPath()), Stream.of(), tree.getArguments());
        return super.visitNewClass(tree, nothing);
    }

    private void call(ExpressionTree call, ExecutableElement method, Stream<ExpressionTree> receiver,
                      List<? extends ExpressionTree> arguments) {
        if (!isForeign(method)) return;
        CallCost cost = CallCost.of(method);
        if ((cost == CallCost.ALL || cost == CallCost.RESULT) && isMeasured(call)) count(call);
        switch (cost) {
            case ALL -> Stream.concat(receiver, arguments.stream()).filter(this::isMeasured)
                    .forEach(this::count);
            case LAST -> count(arguments.get(arguments.size() - 1));
            case LOOKED -> arguments.forEach(text -> wrap(text, WORK + "looked(", ")"));
            default -> { }
        }
    }

    /** One of the JDK's methods that goes over many things is not seen there, but once for each pattern. */
    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
        Element method = trees.getElement(getCurrentPath());
        boolean counted = method instanceof ExecutableElement known && (!isForeign(known) || isShort(known))
                || tree.getMode() == MemberReferenceTree.ReferenceMode.NEW;
        if (!counted && !tree.toString().equals("Pattern::compile")) {
            throw new IllegalStateException(tree + " cannot be counted: call it in a lambda");
        }
        return super.visitMemberReference(tree, nothing);
    }

    /** Whether it goes over nothing. */
    private boolean isShort(ExecutableElement method) {
        return Stream.concat(method.getParameters().stream().map(Element::asType),
                Stream.of(method.getReturnType(), method.getEnclosingElement().asType()))
                .noneMatch(this::isMeasured);
    }

    /** Whether this makes an array or a text, of several that are put together at once only the whole. */
    private boolean isMade(Tree tree) {
        return tree instanceof NewArrayTree array && !array.getDimensions().isEmpty()
                || tree instanceof CompoundAssignmentTree && isMeasured(tree)
                || isConcatenation(tree) && !isConcatenation(getCurrentPath().getLeaf());
    }

    private boolean isConcatenation(Tree tree) {
        return tree.getKind() == Tree.Kind.PLUS && isMeasured(tree);
    }

    private boolean isForeign(ExecutableElement method) {
        return !elements.getPackageOf(method).getQualifiedName().toString().startsWith("org.microhttp");
    }

    private boolean isMeasured(Tree tree) {
        var path = new TreePath(getCurrentPath(), tree);
        return !(tree instanceof LiteralTree) && isMeasured(trees.getTypeMirror(path));
    }

    private boolean isMeasured(TypeMirror type) {
        if (type == null) return false;
        if (type.getKind() == TypeKind.ARRAY) return true;
        if (type.getKind() != TypeKind.DECLARED && type.getKind() != TypeKind.TYPEVAR) return false;
        TypeMirror erased = task.getTypes().erasure(type);
        return measured.stream().anyMatch(each -> task.getTypes().isAssignable(erased, each));
    }
}
