package org.microhttp.wire;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.microhttp.Options;
import org.microhttp.testing.TestServer;
import org.microhttp.wire.model.Escapes;
import org.microhttp.wire.model.VectorFile;

/** A vector of wire.txt, whose notation is described there. */
record WireVector(String section, String name, Options options, boolean uncut, boolean alone,
                  List<Step> steps) {

    /** What happens next, or must be seen next; all but what is sent is played by {@link WirePlay}. */
    interface Step {

        int line();

        /** Bytes that the client sends. */
        record Send(int line, String text) implements Step { }

        /** What the client does, or what happens to the server. */
        record Act(int line, String what) implements Step { }

        /** Nothing comes, or the connection ends. */
        record See(int line, String what) implements Step { }

        /** A number of responses; without fields they have the usual ones. */
        record Get(int line, int status, String body, String connection, boolean toHead, int times,
                List<String> fields) implements Step { }

        record Refusal(int line, int status, String code, boolean toHead) implements Step { }

        /** What has been logged of the connection. */
        record Log(int line, String events) implements Step { }
    }

    private static final Pattern REFUSAL =
            Pattern.compile("(\\d{3}) (?!closes|keeps)(\\w+_\\w+|\\w+ed|connect)( to HEAD)?");
    private static final Pattern RESPONSE =
            Pattern.compile("(\\d{3})(?: \"(.*)\")?(?: (closes|keeps))?( to HEAD)?(?: (\\d+) times)?");
    private static final Set<String> ACTS = Set.of("half-close", "reset", "pause", "answer");
    private static final Set<String> SIGHTS = Set.of("end", "gone", "nothing");
    private static final Map<String, Duration> UNITS =
            Map.of("ms", Duration.ofMillis(1), "s", Duration.ofSeconds(1), "min", Duration.ofMinutes(1));

    static List<WireVector> load() {
        return VectorFile.read("/wire.txt", WireVector::parse);
    }

    private static WireVector parse(VectorFile.Paragraph paragraph) {
        var reader = new Reader();
        paragraph.forEach(reader::read);
        return new WireVector(paragraph.section(), paragraph.name(), reader.options, reader.uncut,
                reader.alone, reader.steps);
    }

    /** The last step before the client closes the connection, unless it is closed already. */
    Step last() {
        Step last = steps.get(0);
        for (Step step : steps) {
            last = step instanceof Step.Log ? last : step;
        }
        return last;
    }

    static Duration duration(String text) {
        String[] words = text.split(" ");
        if (words.length != 2 || !UNITS.containsKey(words[1])) {
            throw new IllegalArgumentException("not a number and ms, s or min");
        }
        return UNITS.get(words[1]).multipliedBy(Long.parseLong(words[0]));
    }

    /** Reads the lines of one vector. */
    private static final class Reader {

        private final List<Step> steps = new ArrayList<>();
        private Options options = TestServer.options();
        private boolean uncut;
        private boolean alone;

        void read(VectorFile.Line line) {
            int number = line.number();
            String text = line.text();
            switch (line.mark()) {
                case '~' -> set(text);
                case '>' -> send(number, Escapes.expand(text));
                case '<' -> steps.add(SIGHTS.contains(text) ? new Step.See(number, text) : get(number, text));
                case ':' -> ((Step.Get) steps.get(steps.size() - 1)).fields.add(Escapes.expand(text));
                case '*' -> act(number, text);
                case '=' -> steps.add(new Step.Log(number, text));
                default -> throw new IllegalArgumentException("unknown mark");
            }
        }

        /** Joins it with what was sent just before. */
        private void send(int number, String text) {
            int last = steps.size() - 1;
            if (last >= 0 && steps.get(last) instanceof Step.Send before) {
                steps.set(last, new Step.Send(before.line, before.text + text));
            } else {
                steps.add(new Step.Send(number, text));
            }
        }

        private void act(int number, String text) {
            if (!ACTS.contains(text)) {
                require(text.startsWith("pass "), "unknown act");
                duration(text.substring("pass ".length()));
            }
            alone |= text.equals("reset");
            steps.add(new Step.Act(number, text));
        }

        private static Step get(int number, String text) {
            Matcher refusal = REFUSAL.matcher(text);
            if (refusal.matches()) {
                int status = Integer.parseInt(refusal.group(1));
                return new Step.Refusal(number, status, refusal.group(2), refusal.group(3) != null);
            }
            Matcher m = RESPONSE.matcher(text);
            require(m.matches(), "not a response");
            String body = m.group(2) == null ? "" : Escapes.expand(m.group(2));
            return new Step.Get(number, Integer.parseInt(m.group(1)), body, m.group(3), m.group(4) != null,
                    m.group(5) == null ? 1 : Integer.parseInt(m.group(5)), new ArrayList<>());
        }

        private void set(String text) {
            switch (text) {
                case "uncut" -> uncut = true;
                case "port" -> alone = true;
                default -> options = with(options, text);
            }
        }

        /** Calls the setter that is named as the option. */
        private static Options with(Options options, String text) {
            int space = text.indexOf(' ');
            String name = space < 0 ? text : text.substring(0, space);
            String value = text.substring(space + 1);
            String setter = "with" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
            Method method = Stream.of(Options.class.getMethods()).filter(m -> m.getName().equals(setter))
                    .findFirst().orElseThrow(() -> new IllegalArgumentException("unknown option " + name));
            try {
                return (Options) method.invoke(options, value(method.getParameterTypes()[0], value));
            } catch (InvocationTargetException e) {
                throw new IllegalArgumentException(e.getCause());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }

        private static Object value(Class<?> type, String text) {
            return switch (type.getSimpleName()) {
                case "int" -> Integer.valueOf(text);
                case "long" -> Long.valueOf(text);
                case "boolean" -> Boolean.valueOf(text);
                case "Duration" -> duration(text);
                case "List" -> List.of(text.split(" "));
                default -> throw new IllegalArgumentException("no text can be its value");
            };
        }

        private static void require(boolean right, String what) {
            if (!right) throw new IllegalArgumentException(what);
        }
    }
}
