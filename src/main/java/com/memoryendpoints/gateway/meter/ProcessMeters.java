package com.memoryendpoints.gateway.meter;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;

/** The meters of the JVM and the process around it. */
final class ProcessMeters implements AutoCloseable {
  private final JvmGcMetrics gc = new JvmGcMetrics();

  ProcessMeters(MeterRegistry registry) {
    // Nanoseconds are no base unit: CPU time is below, under the name that Prometheus knows.
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"));
    // To Prometheus a _count is a histogram's.
    registry.config().meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
    gc.bindTo(registry);
    // Includes jvm_buffer_memory_used_bytes, the direct memory that the JDK itself hands out.
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    FunctionCounter.builder("process.cpu", system, os -> os.getProcessCpuTime() / 1e9)
        .baseUnit("seconds")
        .description("CPU time of the process")
        .register(registry);
    // Netty may take direct memory past the JDK's accounting; -1 when it does not.
    Gauge.builder("netty.direct.memory", PlatformDependent::usedDirectMemory)
        .baseUnit("bytes")
        .description("Direct memory that Netty holds, -1 when the JDK counts it")
        .register(registry);
  }

  @Override
  public void close() {
    gc.close();
  }
}
