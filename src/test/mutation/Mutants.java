import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pitest.bytecode.analysis.ClassTree;
import org.pitest.classinfo.ClassByteArraySource;
import org.pitest.classinfo.ClassName;
import org.pitest.classpath.ClassloaderByteArraySource;
import org.pitest.classpath.CodeSource;
import org.pitest.coverage.NoCoverage;
import org.pitest.mutationtest.EngineArguments;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.config.PluginServices;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.config.SettingsFactory;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;

/**
 * Draws mutants from PIT's list over compiled classes, and makes the class files of drawn ones. The script
 * {@code src/test/mutants} runs it with PIT on the class path; no Maven build compiles it.
 */
final class Mutants {

    private final ClassByteArraySource source =
            new ClassloaderByteArraySource(ClassLoader.getSystemClassLoader());
    private final Path classes;
    private final Mutater mutater;
    private final MutationInterceptor filters;

    private Mutants(Path classes) {
        this.classes = classes;
        var options = new ReportOptions();
        options.setTargetClasses(List.of("org.microhttp.*"));
        options.setTargetTests(List.of());
        options.setCodePaths(List.of(classes.toString()));
        options.setClassPathElements(List.of(classes.toString()));
        var settings = new SettingsFactory(options, PluginServices.makeForContextLoader());
        mutater = settings.createEngine().createEngine(EngineArguments.arguments()).createMutator(source);
        CodeSource code = settings.createCodeSource(options.getMutationClassPaths());
        filters = settings.getInterceptor()
                .createInterceptor(options, new NoCoverage(), source, mutant -> List.of(), code);
        filters.initialise(code);
    }

    public static void main(String[] arguments) throws IOException {
        var mutants = new Mutants(Path.of(arguments[1]));
        switch (arguments[0]) {
            case "draw" -> mutants.draw(Integer.parseInt(arguments[2]), Long.parseLong(arguments[3]));
            case "make" -> mutants.make(Path.of(arguments[2]), Path.of(arguments[3]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** The same for the same classes, seed and PIT, however many are drawn before. */
    private void draw(int count, long seed) throws IOException {
        List<MutationDetails> all = new ArrayList<>();
        for (ClassName name : names()) all.addAll(listed(name));
        all.sort(Comparator.comparing(MutationDetails::getId));
        int size = all.size();
        Collections.shuffle(all, new Random(seed));
        List<MutationDetails> drawn = all.subList(0, Math.min(count, size));
        System.out.printf("# seed %d: %d of %d mutants%n", seed, drawn.size(), size);
        drawn.forEach(mutant -> System.out.println(line(mutant)));
    }

    /** What PIT would try with its defaults: what its engine finds, without what its filters drop. */
    private Collection<MutationDetails> listed(ClassName name) {
        List<MutationDetails> found = mutater.findMutations(name);
        if (found.isEmpty()) return found;
        filters.begin(ClassTree.fromBytes(source.getBytes(name.asInternalName()).orElseThrow()));
        try {
            return filters.intercept(found, mutater);
        } finally {
            filters.end();
        }
    }

    /** The class files of the listed mutants, each in a folder by its number; a lost mutant has none. */
    private void make(Path list, Path folder) throws IOException {
        int number = 0;
        for (String line : Files.readAllLines(list)) {
            if (line.isBlank() || line.startsWith("#")) continue;
            number++;
            ClassName name = ClassName.fromString(line.substring(0, line.indexOf(' ')));
            Optional<MutationDetails> mutant = found(name, line);
            if (mutant.isEmpty()) continue;
            Path file = folder.resolve(number + "/" + name.asInternalName() + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, mutater.getMutation(mutant.get().getId()).getBytes());
        }
    }

    private Optional<MutationDetails> found(ClassName name, String line) {
        if (source.getBytes(name.asInternalName()).isEmpty()) return Optional.empty();
        return listed(name).stream().filter(mutant -> withoutNumber(line(mutant)).equals(withoutNumber(line)))
                .findFirst();
    }

    private static String line(MutationDetails mutant) {
        String mutator = mutant.getMutator().substring(mutant.getMutator().lastIndexOf('.') + 1);
        String indexes = mutant.getId().getIndexes().stream().sorted().map(String::valueOf)
                .collect(Collectors.joining(","));
        return String.join(" ", mutant.getClassName().asJavaName(),
                mutant.getMethod() + mutant.getId().getLocation().getMethodDesc(),
                "" + mutant.getLineNumber(), mutator, indexes, mutant.getDescription());
    }

    /** A mutant stays the same when code above it moves its line. */
    private static String withoutNumber(String line) {
        return line.replaceFirst(" \\d+ ", " ");
    }

    private List<ClassName> names() throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    .map(name -> ClassName.fromString(name.substring(0, name.length() - ".class".length())))
                    .sorted().toList();
        }
    }
}
