package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.name.Connectors;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.pool.PoolName;
import com.memoryendpoints.gateway.problem.Refusal;
import java.util.HexFormat;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code audit-hash --tenant ID [--name NAME] [--memory ID] [--pool NAME]}. */
@Command(
    name = "audit-hash",
    mixinStandardHelpOptions = true,
    description = {
      "Print what stands for a name or a memory of a tenant in the audit trail, and end.",
      "It needs the audit key, and no database. What it prints is to be looked for in"
          + " redacted_name_hash and redacted_memory_hash of events with that key_id."
    })
final class AuditHash implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @ParentCommand
  private CommandLineOf parent;

  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @Option(names = "--tenant", paramLabel = "ID", required = true, description = "Whose it is.")
  private UUID tenant;

  @Option(names = "--name", paramLabel = "NAME", description = "An agent's name, as displayed.")
  private @Nullable String name;

  @Option(names = "--memory", paramLabel = "ID", description = "A memory's id.")
  private @Nullable UUID memory;

  @Option(names = "--pool", paramLabel = "NAME", description = "A pool's name.")
  private @Nullable String pool;

  @Override
  public Integer call() {
    if (name == null && memory == null && pool == null) {
      throw new ParameterException(spec.commandLine(), "Name --name, --memory or --pool.");
    }
    if (pool != null && !PoolName.isPoolName(pool)) {
      throw CannotStart.misconfigured(
          "No pool can have this name: it is 1 to 63 of a-z, 0-9, dot, underscore and hyphen, and"
              + " begins with a letter or a digit.");
    }
    Config config = Keys.withExistingAuditKey(parent.config());
    Redactor redactor = new Redactor(Objects.requireNonNull(config.audit().key()));
    print("key_id", Integer.toString(redactor.keyId()));
    if (name != null) {
      String canonical = canonical(config.names(), name);
      print("canonical_name", canonical);
      print("redacted_name_hash", hex(redactor.name(tenant, canonical).getBytes()));
    }
    if (memory != null) {
      print("redacted_memory_hash", hex(redactor.memory(tenant, memory).getBytes()));
    }
    if (pool != null) {
      print("redacted_name_hash (pool)", hex(redactor.name(tenant, pool).getBytes()));
    }
    return 0;
  }

  private static String canonical(Config.Names config, String display) {
    Connectors connectors = Connectors.of(config.connectors());
    try {
      return new Names(connectors, config.enforced() ? null : reason -> {})
          .claimed(display)
          .canonical();
    } catch (Refusal refusal) {
      throw CannotStart.misconfigured(
          "No agent can have this name: " + refusal.getMessage() + ".", refusal);
    }
  }

  private static void print(String what, String value) {
    System.out.printf("%-26s %s%n", what, value);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
