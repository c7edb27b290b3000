package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.legacy.LegacyImport;
import com.memoryendpoints.gateway.legacy.Report;
import com.memoryendpoints.gateway.name.Connectors;
import com.memoryendpoints.gateway.name.Names;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code import-legacy --agents FILE --memories FILE [--dry-run] [--report FILE]}. */
@Command(
    name = "import-legacy",
    mixinStandardHelpOptions = true,
    description = {
      "Import the agents and the memories of an earlier system, and end.",
      "Of agents whose names look alike the oldest keeps the plain name, the others may claim it"
          + " with a UUIDv7 behind it. Memories whose id is a free UUIDv7 keep it, the others get"
          + " one. It is one transaction: cut off, it has changed nothing; run again, it changes"
          + " nothing more.",
      "A FILE is CSV with a header line, or NDJSON, in UTF-8. created_at is a time by RFC 3339."
    })
final class ImportLegacy implements Callable<Integer> {
  private static final String REPORT = "import-report.ndjson";

  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @ParentCommand
  private CommandLineOf parent;

  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--agents",
      paramLabel = "FILE",
      description = "Has legacy_id, tenant_id, display_name, created_at.")
  private @Nullable Path agents;

  @Option(
      names = "--memories",
      paramLabel = "FILE",
      description = "Has legacy_memory_id, tenant_id, created_at.")
  private @Nullable Path memories;

  @Option(names = "--dry-run", description = "Change nothing, and report what would become of all.")
  private boolean dryRun;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "What became of every row, in NDJSON (default: ${DEFAULT-VALUE}).")
  private Path report = Path.of(REPORT);

  @Override
  public Integer call() throws DatabaseUnreachable {
    if (agents == null && memories == null) {
      throw new ParameterException(spec.commandLine(), "Name --agents, --memories or both.");
    }
    Config given = parent.config();
    List<Path> sources = Stream.of(agents, memories).filter(Objects::nonNull).toList();
    try (Report complete = Report.beside(report, sources)) {
      LegacyImport checked = LegacyImport.checked(agents, memories, System.out::println);
      try (SystemOfRecord system = SystemOfRecord.find(given)) {
        Config config = memories == null ? system.config() : Keys.withAuditKey(system.config());
        Names names = new Names(Connectors.of(config.names().connectors()), null);
        checked.into(config.database(), names, config.audit().key(), complete, dryRun);
      }
    }
    return 0;
  }
}
