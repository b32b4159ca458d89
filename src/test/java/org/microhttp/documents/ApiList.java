package org.microhttp.documents;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.microhttp.EventLoop;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;

/**
 * What programs can see of the library: a line for each public or protected type, constructor, method and
 * field, as it is declared, sorted by what it declares. A record's line has its components, from which its
 * constructor follows; what a public type inherits from one that is not public is its own. The list of the
 * last release is in {@code api.txt}, which {@link #main} writes.
 *
 * @param version of the release
 */
record ApiList(String version, List<String> lines) {

    static final Path FILE = Readme.ROOT.resolve("src/test/resources/api.txt");

    private static final String HEAD = "# What programs can see of microhttp %s: written at a release, as "
            + "RELEASING.md says.\n";
    private static final Pattern VERSION = Pattern.compile("^# .* microhttp (\\S+): ");

    /** Of those it goes without saying. */
    private static final Pattern OURS = Pattern.compile("\\b(?:org\\.microhttp|java\\.lang)\\.(?=[A-Z])");
    private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");
    private static final Pattern TYPE =
            Pattern.compile("(?<![\\w.])(?:class|@?interface|record|enum) ([\\w.]+)");
    private static final Pattern MEMBER = Pattern.compile("([\\w.]+(?:\\([^)]*\\))?)$");

    /** Of the last release. */
    static ApiList released() {
        return parse(Readme.read(FILE));
    }

    static ApiList parse(String text) {
        Matcher version = VERSION.matcher(text);
        if (!version.find()) throw new IllegalArgumentException("no version");
        return new ApiList(version.group(1), text.lines().filter(line -> !line.startsWith("#")).toList());
    }

    String text() {
        return HEAD.formatted(version) + lines.stream().map(line -> line + "\n").collect(joining());
    }

    /** Of the classes that were compiled last. */
    static List<String> present() throws Exception {
        Path folder = Programs.location(EventLoop.class).resolve("org/microhttp");
        var types = new ArrayList<Class<?>>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
                String name = "org.microhttp." + Readme.name(file);
                Class<?> type = Class.forName(name, false, EventLoop.class.getClassLoader());
                if (isSeen(type)) types.add(type);
            }
        }
        return of(types);
    }

    /** Whether programs can name it. */
    private static boolean isSeen(Class<?> type) {
        Class<?> around = type.getEnclosingClass();
        return isSeen(type.getModifiers()) && !type.isSynthetic() && (around == null || isSeen(around));
    }

    private static boolean isSeen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    static List<String> of(Collection<Class<?>> types) {
        Map<String, String> lines = new TreeMap<>();
        for (Class<?> type : types) {
            put(lines, declaration(type));
            for (Class<?> from : sources(type)) {
                putMembers(lines, type, from);
            }
        }
        return List.copyOf(lines.values());
    }

    /** What is nearer to the type came first. */
    private static void put(Map<String, String> lines, String line) {
        lines.putIfAbsent(nameOf(line), line);
    }

    /** The type, and those behind it that programs cannot name. */
    private static List<Class<?>> sources(Class<?> type) {
        var all = new ArrayList<Class<?>>(List.of(type));
        Class<?> next = type.getSuperclass();
        while (next != null && !isSeen(next)) {
            all.add(next);
            next = next.getSuperclass();
        }
        return all;
    }

    private static void putMembers(Map<String, String> lines, Class<?> type, Class<?> from) {
        for (Constructor<?> each : from.getDeclaredConstructors()) {
            boolean seen = from == type && isSeen(each) && !followsFromComponents(each);
            if (seen) put(lines, line(type, each, each.toGenericString()));
        }
        for (Method each : from.getDeclaredMethods()) {
            boolean seen = isSeen(each) && !isOfEveryObject(each);
            if (seen) put(lines, line(type, each, each.toGenericString()));
        }
        for (Field each : from.getDeclaredFields()) {
            if (isSeen(each)) put(lines, line(type, each, each.toGenericString()));
        }
    }

    private static boolean isSeen(Member member) {
        return isSeen(member.getModifiers()) && !member.isSynthetic();
    }

    private static boolean followsFromComponents(Constructor<?> each) {
        if (!each.getDeclaringClass().isRecord()) return false;
        Stream<Class<?>> components = Arrays.stream(each.getDeclaringClass().getRecordComponents())
                .map(component -> component.getType());
        return components.toList().equals(List.of(each.getParameterTypes()));
    }

    private static boolean isOfEveryObject(Method method) {
        return Stream.of("equals", "hashCode", "toString").anyMatch(method.getName()::equals)
                && Arrays.stream(Object.class.getMethods()).anyMatch(each ->
                        each.getName().equals(method.getName())
                        && Arrays.equals(each.getParameterTypes(), method.getParameterTypes()));
    }

    /** Whoever declares it, it is seen as the type's. */
    private static <T extends AnnotatedElement & Member> String line(Class<?> type, T member, String text) {
        String name = "." + member.getName();
        String where = member.getDeclaringClass().getTypeName();
        String ours = text.replace(where + name, type.getTypeName() + name);
        String signature = member instanceof Executable
                ? ours.replaceFirst("\\b(?:synchronized|native|strictfp) ", "") : ours;
        return annotations(member) + brief(signature);
    }

    /** Those that can be seen at run time, as {@code FunctionalInterface} and {@code Deprecated}. */
    private static String annotations(AnnotatedElement element) {
        return Arrays.stream(element.getDeclaredAnnotations())
                .map(each -> "@" + each.annotationType().getSimpleName() + " ").sorted().collect(joining());
    }

    private static String brief(String text) {
        return OURS.matcher(text.replace('$', '.')).replaceAll("").replaceAll(",(?! )", ", ");
    }

    /** Not as {@code Class} says it, which differs from one Java to another. */
    private static String declaration(Class<?> type) {
        int said = Modifier.PUBLIC | Modifier.PROTECTED;
        boolean isClass = kind(type).equals("class");
        if (isClass) said |= Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL;
        return annotations(type) + Modifier.toString(type.getModifiers() & said)
                + (type.isSealed() ? " sealed " : " ") + kind(type) + " "
                + brief(type.getTypeName() + parameters(type) + components(type) + supertypes(type));
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) return "@interface";
        if (type.isInterface()) return "interface";
        if (type.isRecord()) return "record";
        return type.isEnum() ? "enum" : "class";
    }

    private static String parameters(GenericDeclaration type) {
        List<String> all = Arrays.stream(type.getTypeParameters())
                .map(each -> each + " extends " + names(Arrays.asList(each.getBounds()), " & ")).toList();
        return all.isEmpty() ? "" : "<" + String.join(", ", all) + ">";
    }

    private static String components(Class<?> type) {
        if (!type.isRecord()) return "";
        return Arrays.stream(type.getRecordComponents())
                .map(each -> each.getGenericType().getTypeName() + " " + each.getName())
                .collect(joining(", ", "(", ")"));
    }

    private static String supertypes(Class<?> type) {
        List<Class<?>> sources = sources(type);
        Type above = sources.get(sources.size() - 1).getGenericSuperclass();
        boolean plain = above == null || above == Object.class || type.isRecord() || type.isEnum();
        List<Type> all = sources.stream().flatMap(each -> Arrays.stream(each.getGenericInterfaces()))
                .distinct().toList();
        String behind = type.isInterface() ? " extends " : " implements ";
        return (plain ? "" : " extends " + above.getTypeName())
                + (all.isEmpty() ? "" : behind + names(all, ", "));
    }

    private static String names(List<Type> types, String between) {
        return types.stream().map(Type::getTypeName).collect(joining(between));
    }

    /**
     * How a line is named in the changes: {@code Options}, {@code Options.withPort(int)},
     * {@code EventLoop(Options, Handler)}.
     */
    static String nameOf(String line) {
        String plain = line;
        while (plain.contains("<")) {
            plain = plain.replaceAll("<[^<>]*>", "");
        }
        Matcher type = TYPE.matcher(plain);
        if (type.find()) return PACKAGE.matcher(type.group(1)).replaceAll("");
        Matcher member = MEMBER.matcher(plain.replaceFirst(" throws .*", ""));
        if (!member.find()) throw new IllegalArgumentException("declares nothing: " + line);
        return PACKAGE.matcher(member.group(1)).replaceAll("");
    }

    static boolean declaresType(String line) {
        return TYPE.matcher(line).find();
    }

    /** Writes the list of the release that the topmost section of the changes has just become. */
    public static void main(String[] args) throws Exception {
        ChangesPage.Section top = ChangesPage.read().top();
        if (top.isPending()) {
            System.err.println("the changes of " + top.version() + " are pending: date them first");
            System.exit(1);
        }
        write(new ApiList(top.version(), present()));
    }

    private static void write(ApiList list) throws IOException {
        Files.writeString(FILE, list.text());
        System.out.println(FILE + ": " + list.lines.size() + " lines of " + list.version);
    }
}
