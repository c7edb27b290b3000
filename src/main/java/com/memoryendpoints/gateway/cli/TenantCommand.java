package com.memoryendpoints.gateway.cli;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code tenant create|list|suspend|resume}. */
@Command(
    name = "tenant",
    mixinStandardHelpOptions = true,
    description = "Make, list, suspend or resume the tenants in the database, and end.")
final class TenantCommand {
  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @ParentCommand
  private CommandLineOf parent;

  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @Spec
  private CommandSpec spec;

  @Command(mixinStandardHelpOptions = true, description = "Make a tenant, and tell its id.")
  int create(
      @Parameters(paramLabel = "NAME", description = "For you; no other tenant has it.")
          String name,
      @Option(
              names = "--id",
              paramLabel = "UUID",
              description = "That of a tenant that the configuration names (default: a new one).")
          @Nullable UUID given)
      throws DatabaseUnreachable {
    String valid = CommandLineOf.named(spec, "NAME", name);
    UUID id = given != null ? given : Generators.timeBasedEpochGenerator().generate();
    parent.onRegister(register -> register.createTenant(id, valid));
    System.out.println(id);
    return 0;
  }

  @Command(mixinStandardHelpOptions = true, description = "List the tenants, a line each.")
  int list() throws DatabaseUnreachable {
    return parent.onRegister(register -> register.listTenants(System.out::println));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Refuse every token of a tenant that is in the database, within 30 s, until it is resumed.",
        "What it holds stays held until it lapses. Tokens of the configuration are not touched."
      })
  int suspend(@Parameters(paramLabel = "UUID") UUID tenantId) throws DatabaseUnreachable {
    return parent.onRegister(register -> register.suspendTenant(tenantId, true));
  }

  @Command(mixinStandardHelpOptions = true, description = "Undo suspend, within 30 s.")
  int resume(@Parameters(paramLabel = "UUID") UUID tenantId) throws DatabaseUnreachable {
    return parent.onRegister(register -> register.suspendTenant(tenantId, false));
  }
}
