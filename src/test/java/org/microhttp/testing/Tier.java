package org.microhttp.testing;

import java.lang.annotation.*;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/**
 * The three tiers of tests. A test without one of these annotations belongs to the quick tier, {@code mvn
 * test}. The pom says which command runs which tag.
 */
public final class Tier {

    private Tier() {}

    /** A promise that takes more than a second or two to check, or a program: {@code mvn verify}. */
    @Tag("gate")
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Gate {}

    /** The gate's test of a program, each method of which takes less than a minute. */
    @Gate
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Program {}

    /** Benchmarks, long programs and releases: {@code mvn verify -Pfull}. */
    @Tag("full")
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Full {}
}
