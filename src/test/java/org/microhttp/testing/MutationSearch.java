package org.microhttp.testing;

import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.IOException;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks in the tree of one source for the places that a {@link Mutation} names. */
final class MutationSearch extends TreePathScanner<Void, Void> {

    /**
     * A place.
     *
     * @param parts      of a call the receiver and the arguments; of an operation "" and the operands
     * @param parameters the names of those of the method around it
     */
    record Found(int from, int to, String text, List<String> parts, List<String> parameters) { }

    private static final Pattern PLACE =
            Pattern.compile("(?:\\.(\\w+))?(?: every)? ([a-z]+(?: (?!with ).+?)?)(?: with (.+))?");

    final String source;
    private final String method;
    private final String wanted;
    private final String within;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final Map<String, String> fields = new HashMap<>();
    private final List<Found> found = new ArrayList<>();

    MutationSearch(String source, String place) {
        this.source = source;
        Matcher parts = PLACE.matcher(place);
        if (!parts.matches()) throw new IllegalArgumentException("no place: " + place);
        method = parts.group(1);
        wanted = parts.group(2);
        within = parts.group(3) == null ? "" : parts.group(3);
        JavacTask task = SourceCompiler.task(null, Map.of("A", source), "-proc:none");
        positions = Trees.instance(task).getSourcePositions();
        try {
            unit = task.parse().iterator().next();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        scan(unit, null);
    }

    List<Found> found() {
        return found;
    }

    /** The name of the last field of that type. */
    String fieldOf(String type) {
        if (!fields.containsKey(type)) throw new IllegalArgumentException("no field of type " + type);
        return fields.get(type);
    }

    @Override
    public Void scan(Tree tree, Void nothing) {
        if (tree != null && getCurrentPath() != null) look(tree, getCurrentPath());
        return super.scan(tree, nothing);
    }

    private void look(Tree tree, TreePath around) {
        Tree target = places(tree, around.getLeaf()).get(wanted);
        if (target == null || !text(tree).contains(within)) return;
        MethodTree owner = tree instanceof MethodTree itself ? itself : null;
        for (TreePath path = around; owner == null && path != null; path = path.getParentPath()) {
            if (path.getLeaf() instanceof MethodTree found) owner = found;
        }
        if (method != null && (owner == null || !owner.getName().contentEquals(method))) return;
        int from = start(target);
        boolean body = wanted.equals("body");
        found.add(body ? new Found(from + 1, from + 1, "", List.of(), parameters(owner))
                : new Found(from, end(target), text(target), parts(target), parameters(owner)));
    }

    /** What is replaced at this tree, by the kinds and names of places that it is. */
    private Map<String, Tree> places(Tree tree, Tree parent) {
        var places = new HashMap<String, Tree>();
        if (tree instanceof MethodInvocationTree call) putCall(places, call);
        if (tree instanceof LiteralTree) {
            places.put("literal", tree);
            places.put("literal " + text(tree), tree);
        }
        boolean isMethod = parent instanceof MethodInvocationTree call && call.getMethodSelect() == tree;
        if (tree instanceof MemberSelectTree select && !isMethod) {
            places.put("select " + select.getIdentifier(), tree);
        }
        if (tree instanceof AssignmentTree set) putSet(places, set.getVariable(), set.getExpression());
        if (tree instanceof CompoundAssignmentTree set) {
            putSet(places, set.getVariable(), set.getExpression());
        }
        if (tree instanceof VariableTree field && parent.getKind() != Tree.Kind.METHOD) {
            places.put("field " + field.getName(), field.getInitializer());
            fields.putIfAbsent(String.valueOf(field.getType()), field.getName().toString());
        }
        putBranches(places, tree);
        return places;
    }

    private void putCall(Map<String, Tree> places, MethodInvocationTree call) {
        String receiver = receiver(call);
        String name = text(call.getMethodSelect()).replaceFirst("(?s).*\\.\\s*", "");
        places.put("call " + name, call);
        places.put("call " + name + "/" + call.getArguments().size(), call);
        boolean check = name.equals("refuseIf") || name.equals("refuseUnless");
        if (check) places.put("check " + receiver.replaceFirst(".*\\.", ""), call);
        call.getArguments().forEach(argument -> places.put("argument " + text(argument), argument));
    }

    private void putSet(Map<String, Tree> places, Tree variable, Tree value) {
        places.put("set " + text(variable).replaceFirst(".*\\.", ""), value);
    }

    private void putBranches(Map<String, Tree> places, Tree tree) {
        if (tree instanceof BinaryTree sum) {
            String symbol = source.substring(end(sum.getLeftOperand()), start(sum.getRightOperand()));
            places.put("op " + symbol.strip(), tree);
        }
        if (tree instanceof UnaryTree one) {
            places.put("op " + text(tree).replace(text(one.getExpression()), ""), tree);
        }
        if (tree instanceof ConditionalExpressionTree choice) {
            places.put("choice " + text(choice.getTrueExpression()), choice.getCondition());
            places.put("choice " + text(choice.getFalseExpression()), choice.getCondition());
        }
        if (tree instanceof IfTree chosen) {
            places.put("if", ((ParenthesizedTree) chosen.getCondition()).getExpression());
        }
        if (tree instanceof ReturnTree end) places.put("return", end.getExpression());
        if (tree instanceof MethodTree owner) places.put("body", owner.getBody());
    }

    private List<String> parts(Tree tree) {
        var parts = new ArrayList<String>();
        if (tree instanceof MethodInvocationTree call) {
            parts.add(receiver(call));
            call.getArguments().forEach(argument -> parts.add(text(argument)));
        } else if (tree instanceof BinaryTree sum) {
            parts.addAll(List.of("", text(sum.getLeftOperand()), text(sum.getRightOperand())));
        }
        return parts;
    }

    private String receiver(MethodInvocationTree call) {
        return call.getMethodSelect() instanceof MemberSelectTree select ? text(select.getExpression()) : "";
    }

    private static List<String> parameters(MethodTree owner) {
        return owner == null ? List.of()
                : owner.getParameters().stream().map(each -> each.getName().toString()).toList();
    }

    private String text(Tree tree) {
        return source.substring(start(tree), end(tree));
    }

    private int start(Tree tree) {
        return (int) positions.getStartPosition(unit, tree);
    }

    private int end(Tree tree) {
        return (int) positions.getEndPosition(unit, tree);
    }
}
