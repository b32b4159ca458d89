package org.microhttp.testing;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.DiscoveryFilter;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;

/**
 * Runs the tests that its arguments name as {@code package.Class#method} or {@code package.Class}. It ends
 * with 0 if they pass, with {@link #FAILED} if one fails, and with another number if none runs. Maven takes
 * four times as long for one.
 */
public final class TestRun
        implements EngineDiscoveryRequest, ConfigurationParameters, EngineExecutionListener {

    /** No number that Java itself ends with. */
    public static final int FAILED = 3;
    private static final int NONE = 4;

    private final List<DiscoverySelector> selectors;
    private int run;
    private int failed;

    private TestRun(String... names) {
        selectors = Arrays.stream(names).map(TestRun::selector).toList();
    }

    public static void main(String[] names) {
        System.exit(run(names));
    }

    /** {@return what it ends with} */
    public static int run(String... names) {
        var tests = new TestRun(names);
        var engine = new JupiterTestEngine();
        TestDescriptor root = engine.discover(tests, UniqueId.forEngine(engine.getId()));
        engine.execute(ExecutionRequest.create(root, tests, tests));
        return tests.failed > 0 ? FAILED : tests.run > 0 ? 0 : NONE;
    }

    private static DiscoverySelector selector(String name) {
        String[] parts = name.split("#");
        try {
            Class<?> type = Class.forName(parts[0], false, TestRun.class.getClassLoader());
            if (parts.length == 1) return DiscoverySelectors.selectClass(type);
            return Arrays.stream(type.getDeclaredMethods()).filter(each -> each.getName().equals(parts[1]))
                    .findFirst().map(method -> DiscoverySelectors.selectMethod(type, method)).orElseThrow();
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public void executionFinished(TestDescriptor test, TestExecutionResult result) {
        if (test.isTest() && result.getStatus() != TestExecutionResult.Status.ABORTED) run++;
        if (result.getStatus() != TestExecutionResult.Status.FAILED) return;
        failed++;
        System.out.println(test.getDisplayName() + ": " + result.getThrowable().orElse(null));
        // of a factory's thousands one is enough
        if (test.getUniqueId().getLastSegment().getType().equals("dynamic-test")) System.exit(FAILED);
    }

    @Override
    public <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type) {
        return selectors.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public <T extends DiscoveryFilter<?>> List<T> getFiltersByType(Class<T> type) {
        return List.of();
    }

    @Override
    public ConfigurationParameters getConfigurationParameters() {
        return this;
    }

    @Override
    public Optional<String> get(String key) {
        // BrokenAssertions
        if (key.equals("junit.jupiter.extensions.autodetection.enabled")) return Optional.of("true");
        return Optional.ofNullable(System.getProperty(key));
    }

    @Override
    public Optional<Boolean> getBoolean(String key) {
        return get(key).map(Boolean::valueOf);
    }

    @Override
    @Deprecated
    public int size() {
        return 0;
    }

    @Override
    public Set<String> keySet() {
        return Set.of();
    }
}
