package com.memoryendpoints.gateway.tidy;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Calls that hold the thread which makes them. An event loop that waits serves nobody, so only what
 * runs before the first verticle or beside them all may wait; those classes are named here.
 */
public final class BlockingCalls {
  private static final String ROOT = "com.memoryendpoints.gateway.";

  /** Where waiting is allowed: a class or a whole package below the root, and why. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "auth.Provider", "hands the checks of JWTs to threads of their own",
          "Main", "the main thread waits for the start and for the stop",
          "http.Pages", "leaves the reading of its files to a worker",
          "cli.", "a subcommand is a thread of its own",
          "db.EmbeddedDatabase", "opened before any verticle; its watch is a thread of its own",
          "db.PostgresCommands", "runs the embedded server's programs, for EmbeddedDatabase");

  private static final Map<String, Set<String>> BLOCKING =
      Map.ofEntries(
          Map.entry("java.lang.Thread", Set.of("sleep", "join")),
          Map.entry("java.lang.Object", Set.of("wait")),
          Map.entry("java.lang.Process", Set.of("waitFor")),
          Map.entry("java.util.concurrent.Future", Set.of("get", "join")),
          Map.entry("java.util.concurrent.CountDownLatch", Set.of("await")),
          Map.entry("java.util.concurrent.CyclicBarrier", Set.of("await")),
          Map.entry("java.util.concurrent.Semaphore", Set.of("acquire", "tryAcquire")),
          Map.entry("java.util.concurrent.BlockingQueue", Set.of("take", "put")),
          Map.entry(
              "java.util.concurrent.ExecutorService", Set.of("invokeAll", "awaitTermination")),
          Map.entry("java.util.concurrent.locks.Condition", Set.of("await")),
          Map.entry("java.util.concurrent.locks.LockSupport", Set.of("park", "parkNanos")),
          Map.entry("java.util.concurrent.TimeUnit", Set.of("sleep", "timedJoin", "timedWait")),
          Map.entry("io.vertx.core.Future", Set.of("await")),
          Map.entry("io.vertx.core.Vertx", Set.of("executeBlocking")),
          Map.entry("io.vertx.core.Context", Set.of("executeBlocking")),
          Map.entry("io.vertx.core.WorkerExecutor", Set.of("executeBlocking")));

  private BlockingCalls() {}

  /** Every blocking call of the compiled classes in this folder. */
  public static List<String> in(Path classes) {
    return new ClassFileImporter()
        .importPath(classes).stream()
            .filter(type -> !isException(type))
            .flatMap(BlockingCalls::accesses)
            .filter(BlockingCalls::blocks)
            .map(BlockingCalls::told)
            .distinct()
            .sorted()
            .toList();
  }

  private static boolean isException(JavaClass type) {
    String place = type.getName().substring(ROOT.length());
    return EXCEPTIONS.keySet().stream()
        .anyMatch(
            each ->
                each.endsWith(".")
                    ? place.startsWith(each)
                    : place.equals(each) || place.startsWith(each + "$"));
  }

  private static Stream<JavaAccess<?>> accesses(JavaClass type) {
    return Stream.concat(
        type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream());
  }

  private static boolean blocks(JavaAccess<?> access) {
    return BLOCKING.entrySet().stream()
        .filter(each -> each.getValue().contains(access.getName()))
        .anyMatch(each -> access.getTargetOwner().isAssignableTo(each.getKey()));
  }

  private static String told(JavaAccess<?> access) {
    return access.getSourceCodeLocation()
        + " "
        + access.getOrigin().getFullName()
        + " calls "
        + access.getTarget().getFullName();
  }
}
