package org.microhttp.simulation.network;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayDeque;
import java.util.Queue;

/** A pipe that takes whatever is written; it is never read beyond that. */
final class SimulatedPipe extends Pipe {

    private final SimulatedProvider provider;
    private final Queue<Byte> content = new ArrayDeque<>();

    SimulatedPipe(SimulatedProvider provider) {
        this.provider = provider;
    }

    @Override
    public SourceChannel source() {
        return new Source(provider);
    }

    @Override
    public SinkChannel sink() {
        return new Sink(provider);
    }

    private final class Source extends SourceChannel {

        private Source(SimulatedProvider provider) {
            super(provider);
        }

        @Override
        public int read(ByteBuffer target) {
            int before = target.position();
            while (target.hasRemaining() && !content.isEmpty()) {
                target.put(content.remove());
            }
            return target.position() - before;
        }

        @Override
        public long read(ByteBuffer[] targets) {
            return 0;
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) {
            return 0;
        }

        @Override
        protected void implCloseSelectableChannel() {
        }

        @Override
        protected void implConfigureBlocking(boolean block) {
        }
    }

    private final class Sink extends SinkChannel {

        private Sink(SimulatedProvider provider) {
            super(provider);
        }

        @Override
        public int write(ByteBuffer source) {
            int count = source.remaining();
            while (source.hasRemaining()) {
                content.add(source.get());
            }
            return count;
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            long count = 0;
            for (int i = offset; i < offset + length; i++) {
                count += write(sources[i]);
            }
            return count;
        }

        @Override
        protected void implCloseSelectableChannel() {
        }

        @Override
        protected void implConfigureBlocking(boolean block) {
        }
    }
}
