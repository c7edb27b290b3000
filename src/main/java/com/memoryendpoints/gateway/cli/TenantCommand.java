package com.memoryendpoints.gateway.cli;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.tenant.Term;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code tenant create|list|quota|limit|suspend|resume}. */
@Command(
    name = "tenant",
    mixinStandardHelpOptions = true,
    description = {"Make, list, limit, suspend or resume the tenants in the database, and end."})
final class TenantCommand {
  /** Few enough digits for a {@code long}. */
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private static final String UNLIMITED = "unlimited";
  private static final String DEFAULT = "default";

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
    return parent.onExistingRegister(register -> register.listTenants(System.out::println));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Say how much a tenant may have, within 30 s on every gateway; what is not named stays.",
        "Each is a number, or unlimited, as it is in the beginning. What it has is not taken away."
      })
  int quota(
      @Parameters(paramLabel = "UUID") UUID tenantId,
      @Option(names = "--leases", paramLabel = "N", description = "Live leases.")
          @Nullable String leases,
      @Option(names = "--memories", paramLabel = "N", description = "Memories.")
          @Nullable String memories,
      @Option(names = "--pools", paramLabel = "N", description = "Pools.") @Nullable String pools,
      @Option(
              names = "--identifiers",
              paramLabel = "N",
              description = "Identifiers in all its pools, in whatever state.")
          @Nullable String identifiers)
      throws DatabaseUnreachable {
    Map<Term, OptionalLong> changes = new EnumMap<>(Term.class);
    change(changes, Term.LEASES, leases, UNLIMITED, Limits.QUOTA_MAX);
    change(changes, Term.MEMORIES, memories, UNLIMITED, Limits.QUOTA_MAX);
    change(changes, Term.POOLS, pools, UNLIMITED, Limits.QUOTA_MAX);
    change(changes, Term.IDENTIFIERS, identifiers, UNLIMITED, Limits.QUOTA_MAX);
    return set(tenantId, changes);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Say how much a tenant may ask of one gateway, within 30 s on every gateway; what is not"
            + " named stays.",
        "Each is 0 to 1000000 as in the configuration, or default for what the configuration says."
      })
  int limit(
      @Parameters(paramLabel = "UUID") UUID tenantId,
      @Option(
              names = "--requests-per-second",
              paramLabel = "N",
              description = "By each of its principals; 0 is no limit.")
          @Nullable String requestsPerSecond,
      @Option(
              names = "--burst",
              paramLabel = "N",
              description = "How many of these at once; 0 is as many as a second allows.")
          @Nullable String burst,
      @Option(
              names = "--tenant-requests-per-second",
              paramLabel = "N",
              description = "By all its principals together; 0 is no limit.")
          @Nullable String tenantRequestsPerSecond,
      @Option(
              names = "--tenant-burst",
              paramLabel = "N",
              description = "How many of these at once; 0 is as many as a second allows.")
          @Nullable String tenantBurst)
      throws DatabaseUnreachable {
    Map<Term, OptionalLong> changes = new EnumMap<>(Term.class);
    long max = Limits.RATE_LIMIT_REQUESTS_MAX;
    change(changes, Term.REQUESTS_PER_SECOND, requestsPerSecond, DEFAULT, max);
    change(changes, Term.BURST, burst, DEFAULT, max);
    change(changes, Term.TENANT_REQUESTS_PER_SECOND, tenantRequestsPerSecond, DEFAULT, max);
    change(changes, Term.TENANT_BURST, tenantBurst, DEFAULT, max);
    return set(tenantId, changes);
  }

  private int set(UUID tenantId, Map<Term, OptionalLong> changes) throws DatabaseUnreachable {
    if (changes.isEmpty()) {
      throw new ParameterException(
          CommandLineOf.running(spec), "Nothing is named that is to change.");
    }
    return parent.onRegister(register -> register.setTerms(tenantId, changes));
  }

  private void change(
      Map<Term, OptionalLong> changes, Term term, @Nullable String text, String none, long max) {
    if (text == null) {
      return;
    }
    if (text.equals(none)) {
      changes.put(term, OptionalLong.empty());
      return;
    }
    // Java's own reading takes the digits of every script, and a plus.
    if (NUMBER.matcher(text).matches() && Long.parseLong(text) <= max) {
      changes.put(term, OptionalLong.of(Long.parseLong(text)));
      return;
    }
    throw new ParameterException(
        CommandLineOf.running(spec), "--" + term.wire() + " is 0 to " + max + ", or " + none + ".");
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
