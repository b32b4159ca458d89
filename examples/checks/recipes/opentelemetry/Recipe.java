import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.Socket;
import java.util.List;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/** Runs the recipe of OpenTelemetry. */
public final class Recipe {

    public static void main(String[] args) throws Exception {
        InMemorySpanExporter spans = InMemorySpanExporter.create();
        InMemoryMetricReader metrics = InMemoryMetricReader.create();
        try (var telemetry = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans)).build())
                .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build()).build();
                var loop = new EventLoop(new Options().withPort(0)
                        .withExchangeListener(Telemetry.of(telemetry)), new NoopLogger(),
                        Handler.of(request -> Response.text(201, "made")))) {
            loop.startAsync().join();
            Client.post(loop, "");
            try (var socket = new Socket("localhost", loop.getPort())) {
                socket.getOutputStream().write("no request\r\n\r\n".getBytes());
                socket.getInputStream().readAllBytes();
            }
            List<SpanData> found = spans.getFinishedSpanItems();
            Client.expect(List.of("POST", "_OTHER"), found.stream().map(SpanData::getName).toList());
            Client.expect(true, found.get(0).getEndEpochNanos() > found.get(0).getStartEpochNanos());
            found.forEach(span -> System.out.println(span.getKind() + " " + span.getAttributes()));
            metrics.collectAllMetrics().forEach(metric -> Client.expect("http.server.request.duration s 2",
                    metric.getName() + " " + metric.getUnit() + " " + metric.getHistogramData().getPoints()
                            .stream().mapToLong(point -> point.getCount()).sum()));
        }
    }
}
