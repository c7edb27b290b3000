package com.memoryendpoints.gateway.meter;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.netty.util.internal.PlatformDependent;

/** The meters of the JVM and the process around it. */
final class ProcessMeters implements AutoCloseable {
  private final JvmGcMetrics gc = new JvmGcMetrics();

  ProcessMeters(MeterRegistry registry) {
    gc.bindTo(registry);
    // Includes jvm_buffer_memory_used_bytes, the direct memory that the JDK itself hands out.
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    // Netty may take direct memory past the JDK's accounting; -1 when it does not.
    Gauge.builder("netty.direct.memory", PlatformDependent::usedDirectMemory)
        .baseUnit("bytes")
        .register(registry);
  }

  @Override
  public void close() {
    gc.close();
  }
}
