package org.microhttp.work;

import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.util.*;
import java.util.stream.Stream;
import javax.lang.model.element.*;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;

/**
 * A source with calls of {@link Work} in it, put where the compiler's own tree says: at the beginning of each
 * loop's body and of each method's or lambda's block, and around what a method of the JDK is given and
 * returns, around new arrays and texts put together, as {@link CallCost} says. What it cannot count is in
 * {@link #uncounted}: a method of the JDK that is not called but handed over.
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
    private final List<String> uncounted = new ArrayList<>();
    private int loops;

    /** The tree must be one that the task has analyzed. */
    CountedSource(JavacTask task, CompilationUnitTree unit) {
        this.task = task;
        this.unit = unit;
        trees = Trees.instance(task);
        positions = trees.getSourcePositions();
        elements = task.getElements();
        measured = MEASURED.stream()
                .map(name -> task.getTypes().erasure(elements.getTypeElement(name).asType())).toList();
        scan(unit, null);
    }

    int loops() {
        return loops;
    }

    List<String> uncounted() {
        return uncounted;
    }

    /** The source of the unit with what counts. */
    String text(String source) {
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

    private void wrap(Tree expression, String method) {
        insert(positions.getStartPosition(unit, expression), WORK + method + "(");
        insert(positions.getEndPosition(unit, expression), ")");
    }

    private long insideOf(BlockTree block) {
        return positions.getStartPosition(unit, block) + 1;
    }

    private void loop(StatementTree body) {
        loops++;
        if (body instanceof BlockTree block) {
            insert(insideOf(block), STEP);
        } else {
            insert(positions.getStartPosition(unit, body), "{ " + STEP);
            insert(positions.getEndPosition(unit, body), "}");
        }
    }

    @Override
    public Void scan(Tree tree, Void nothing) {
        StatementTree body = tree instanceof WhileLoopTree loop ? loop.getStatement()
                : tree instanceof DoWhileLoopTree loop ? loop.getStatement()
                : tree instanceof ForLoopTree loop ? loop.getStatement()
                : tree instanceof EnhancedForLoopTree loop ? loop.getStatement() : null;
        if (body != null) loop(body);
        return super.scan(tree, nothing);
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree tree, Void nothing) {
        if (tree.getBody() instanceof BlockTree block) {
            insert(insideOf(block), STEP);
        }
        return super.visitLambdaExpression(tree, nothing);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
        if (elements.getOrigin(trees.getElement(getCurrentPath())) != Elements.Origin.EXPLICIT) return null;
        if (tree.getBody() != null) {
            insert(beginning(tree.getBody()), STEP);
        }
        return super.visitMethod(tree, nothing);
    }

    /** Behind a call of another constructor, which must come first; the compiler's own has no end. */
    private long beginning(BlockTree body) {
        boolean constructs = !body.getStatements().isEmpty()
                && body.getStatements().get(0).toString().matches("(?s)(?:this|super)\\(.*");
        long end = constructs ? positions.getEndPosition(unit, body.getStatements().get(0)) : -1;
        return end < 0 ? insideOf(body) : end;
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
        if ((cost == CallCost.ALL || cost == CallCost.RESULT) && isMeasured(call)) wrap(call, "of");
        switch (cost) {
            case ALL -> Stream.concat(receiver, arguments.stream()).filter(this::isMeasured)
                    .forEach(given -> wrap(given, "of"));
            case LAST -> wrap(arguments.get(arguments.size() - 1), "of");
            case LOOKED -> arguments.forEach(text -> wrap(text, "looked"));
            default -> { }
        }
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
        Element method = trees.getElement(getCurrentPath());
        boolean counted = method instanceof ExecutableElement known && (!isForeign(known) || isShort(known));
        if (!counted && tree.getMode() != MemberReferenceTree.ReferenceMode.NEW) {
            uncounted.add(tree.toString());
        }
        return super.visitMemberReference(tree, nothing);
    }

    /** Whether it goes over nothing. */
    private boolean isShort(ExecutableElement method) {
        return Stream.concat(method.getParameters().stream().map(Element::asType),
                Stream.of(method.getReturnType(), method.getEnclosingElement().asType()))
                .noneMatch(this::isMeasured);
    }

    @Override
    public Void visitNewArray(NewArrayTree tree, Void nothing) {
        if (!tree.getDimensions().isEmpty()) wrap(tree, "of");
        return super.visitNewArray(tree, nothing);
    }

    /** Of several texts that are put together at once only the whole. */
    @Override
    public Void visitBinary(BinaryTree tree, Void nothing) {
        TreePath path = getCurrentPath();
        if (isConcatenation(path) && !isConcatenation(path.getParentPath()) && !isConstant(path)) {
            wrap(tree, "of");
        }
        return super.visitBinary(tree, nothing);
    }

    @Override
    public Void visitCompoundAssignment(CompoundAssignmentTree tree, Void nothing) {
        if (isMeasured(tree)) wrap(tree, "of");
        return super.visitCompoundAssignment(tree, nothing);
    }

    private boolean isConcatenation(TreePath path) {
        return path.getLeaf().getKind() == Tree.Kind.PLUS && isMeasured(trees.getTypeMirror(path));
    }

    private boolean isConstant(TreePath path) {
        if (path.getLeaf() instanceof LiteralTree) return true;
        if (path.getLeaf() instanceof BinaryTree sum) {
            return isConstant(new TreePath(path, sum.getLeftOperand()))
                    && isConstant(new TreePath(path, sum.getRightOperand()));
        }
        return trees.getElement(path) instanceof VariableElement known && known.getConstantValue() != null;
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
