package org.microhttp.tools.sitearchive.making;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which file answers for which path. A file answers for its own; then, where no file does, a page for its
 * name without the suffix, and an index for its folder, the first suffix before the others. What redirects
 * have, nothing else may have.
 */
final class SitePaths {

    /** As keys are sorted. */
    static final Comparator<String> ORDER = (a, b) ->
            Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    private static final List<String> PAGES = List.of(".html", ".htm", ".xhtml", ".xht", ".txt");
    private static final List<String> INDEXES =
            List.of(".html", ".htm", ".xhtml", ".xht", ".txt", ".json", ".xml");

    /** Files by the paths that they answer for. */
    final SortedMap<String, SourceFile> files = new TreeMap<>(ORDER);

    /** By the folders below which they answer. */
    final SortedMap<String, SourceFile> wildcards = new TreeMap<>(ORDER);
    final SortedMap<String, SourceFile> missing = new TreeMap<>(ORDER);

    final SortedMap<String, Redirect> redirects = new TreeMap<>(ORDER);

    /** The paths of the files themselves. */
    final List<String> own = new ArrayList<>();

    /** The files that answer for something, and those for nothing, since another does in their place. */
    final List<SourceFile> archived;
    final List<SourceFile> idle = new ArrayList<>();

    private SitePaths(List<SourceFile> sources) {
        archived = new ArrayList<>(sources);
    }

    /**
     * @throws IllegalArgumentException with a message for the user, if two answer for the same
     */
    static SitePaths of(List<SourceFile> sources, List<Redirect> redirects, ArchiveSettings settings) {
        var paths = new SitePaths(sources);
        for (SourceFile source : sources) {
            String name = source.simpleName();
            if (SourceNames.isWildcard(name)) {
                paths.addWildcard(source);
            } else if (name.equals(SourceNames.MISSING)) {
                paths.missing.put(source.folder(), source);
            } else {
                paths.files.put(source.name(), source);
            }
        }
        for (String folder : paths.wildcards.keySet()) {
            if (paths.missing.containsKey(folder)) {
                paths.idle.add(paths.missing.remove(folder));
            }
        }
        paths.archived.removeAll(Set.copyOf(paths.idle));
        paths.own.addAll(paths.files.keySet());
        List<SourceFile> files = List.copyOf(paths.files.values());
        if (settings.strip()) {
            PAGES.forEach(suffix -> paths.addStripped(files, suffix));
        }
        if (settings.index()) {
            INDEXES.forEach(suffix -> paths.addIndexes(files, suffix));
        }
        redirects.forEach(paths::add);
        paths.refuseLoops();
        return paths;
    }

    boolean isEmpty() {
        return files.isEmpty() && wildcards.isEmpty() && missing.isEmpty() && redirects.isEmpty();
    }

    private void addWildcard(SourceFile source) {
        SourceFile other = wildcards.putIfAbsent(source.folder(), source);
        if (other != null) {
            List<String> names = new ArrayList<>(List.of(other.name(), source.name()));
            names.sort(ORDER);
            throw new IllegalArgumentException(
                    String.join(" and ", names) + " answer for the same; allowed: one of them");
        }
    }

    private void addStripped(List<SourceFile> sources, String suffix) {
        for (SourceFile source : sources) {
            String name = source.name();
            // a name that is a suffix alone begins with a dot, and is left out
            if (name.endsWith(suffix)) {
                files.putIfAbsent(name.substring(0, name.length() - suffix.length()), source);
            }
        }
    }

    private void addIndexes(List<SourceFile> sources, String suffix) {
        for (SourceFile source : sources) {
            if (source.simpleName().equals("index" + suffix)) {
                files.putIfAbsent(source.folder(), source);
            }
        }
    }

    /** A client that follows redirects comes to an end. */
    private void refuseLoops() {
        Set<String> ending = new HashSet<>();
        for (Redirect redirect : redirects.values()) {
            Set<String> way = new LinkedHashSet<>();
            String at = redirect.name();
            while (at != null && !ending.contains(at) && way.add(at)) {
                at = next(at);
            }
            if (way.contains(at)) {
                throw loop(redirects.containsKey(at) ? at : next(at));
            }
            ending.addAll(way);
        }
    }

    /** Where a client is sent on to that asks for this; null for nowhere, or elsewhere. */
    private String next(String name) {
        Redirect redirect = redirects.get(name);
        if (redirect != null) {
            return redirect.targetName();
        }
        // the server sends on who asks for a folder without its slash
        String folder = name + "/";
        boolean isFolder = !files.containsKey(name) && (files.containsKey(folder)
                || wildcards.containsKey(folder) || redirects.containsKey(folder));
        return isFolder ? folder : null;
    }

    private IllegalArgumentException loop(String name) {
        Redirect redirect = redirects.get(name);
        return redirect.line().refusal("TO \"" + redirect.to() + "\", which leads back to FROM,",
                "a path that does not, or a client never comes to an end");
    }

    private void add(Redirect redirect) {
        String name = redirect.name();
        SourceFile file = files.get(name);
        if (file != null) {
            throw redirect.line().refusal("FROM \"" + name + "\", which " + file.name() + " answers,",
                    "a path that no file answers");
        }
        Redirect other = redirects.putIfAbsent(name, redirect);
        if (other != null) {
            throw redirect.line().refusal(
                    "FROM \"" + name + "\" of line " + other.line().number() + " again", "each path once");
        }
    }
}
