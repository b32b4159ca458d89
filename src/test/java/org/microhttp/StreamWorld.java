package org.microhttp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A loop without sockets whose clients ask for streamed bodies: what they send and take, what publishers
 * signal, when and from which thread, and what time it is, follow from a seed. Each step is held to what is
 * promised to clients and publishers.
 */
class StreamWorld extends PlannedWorld {

    final List<Visitor> visitors = new ArrayList<>();

    StreamWorld(long seed) {
        super(seed);
    }

    @Override
    void begin() throws IOException {
        options = options.withStreamTimeout(seconds()).withSocketTimeout(seconds());
        loop = new ScriptedLoop(options, (request, callback) -> {
            onLoop();
            String[] path = request.target().substring(1).split("/");
            visitors.get(Integer.parseInt(path[0])).visits.get(Integer.parseInt(path[1])).handle(callback);
        });
        for (int i = random.nextInt(3); i >= 0; i--) {
            visitors.add(visitor(visitors.size()));
        }
    }

    Visitor visitor(int number) throws IOException {
        return new Visitor(this, number);
    }

    @Override
    void step() {
        Visitor visitor = visitors.get(random.nextInt(visitors.size()));
        switch (random.nextInt(12)) {
            case 0, 1 -> visitor.send();
            case 2, 3, 4 -> act();
            case 5, 6 -> visitor.take(random.nextInt(random.nextBoolean() ? 20 : 100_000));
            case 7 -> pass(random.nextInt(10) == 0 ? 5 * SECOND : SECOND / 10);
            case 8 -> {
                if (random.nextInt(8) == 0) visitor.leave();
            }
            default -> tasks(1 + random.nextInt(6));
        }
    }

    @Override
    final void readOn() {
        visitors.forEach(Visitor::readOn);
    }

    @Override
    Stream<Runnable> ready() {
        return visitors.stream().flatMap(visitor -> visitor.visits.stream()).map(visit -> visit.publisher)
                .filter(publisher -> publisher != null && publisher.mayGoOn())
                .map(publisher -> publisher::signal);
    }

    @Override
    void look() {
        visitors.forEach(Visitor::check);
    }

    @Override
    final void hurry() {
        for (Visitor visitor : visitors) {
            visitor.send();
            visitor.take(200_000);
        }
    }

    @Override
    final boolean isOver() {
        return visitors.stream().allMatch(Visitor::isOver);
    }

    @Override
    void endLoop() {
        visitors.forEach(Visitor::end);
    }

    @Override
    final void lookBack() {
        visitors.forEach(Visitor::checkEnd);
    }
}
