package com.memoryendpoints.gateway.cli;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.config.Readings;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code token create|list|revoke}. */
@Command(
    name = "token",
    mixinStandardHelpOptions = true,
    description = "Issue, list or revoke the bearer tokens in the database, and end.")
final class TokenCommand {
  private static final String SHA256 = "[0-9a-f]{64}";

  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @ParentCommand
  private CommandLineOf parent;

  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @Spec
  private CommandSpec spec;

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Issue a token, and tell it on standard output, this once: only its SHA-256 is kept."
      })
  int create(
      @Option(names = "--tenant", paramLabel = "UUID", required = true) UUID tenantId,
      @Option(
              names = "--principal",
              paramLabel = "NAME",
              required = true,
              description = "Which of the tenant's identities; part of every owner.")
          String principal,
      @Option(
              names = "--scopes",
              paramLabel = "SCOPE",
              required = true,
              split = ",",
              description = "Of leases, memories, pools, audit, admin; with commas between.")
          List<String> scopes,
      @Option(
              names = "--days",
              paramLabel = "DAYS",
              description = "Until it expires, 1 to 3660 (default: never).")
          @Nullable Integer days)
      throws DatabaseUnreachable {
    Caller caller = new Caller(tenantId, CommandLineOf.named(spec, "--principal", principal));
    Set<Scope> allowed = scopes(scopes);
    require(days == null || (1 <= days && days <= Limits.TOKEN_DAYS_MAX), "--days is 1 to 3660");
    return parent.onRegister(
        register -> System.out.println(register.createToken(caller, allowed, days)));
  }

  @Command(mixinStandardHelpOptions = true, description = "List the tokens, a line each.")
  int list(
      @Option(
              names = "--tenant",
              paramLabel = "UUID",
              description = "Of this tenant only (default: of all).")
          @Nullable UUID tenantId)
      throws DatabaseUnreachable {
    return parent.onExistingRegister(
        register -> register.listTokens(tenantId, System.out::println));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Refuse a token for ever, within 30 s on every gateway.")
  int revoke(
      @Parameters(paramLabel = "SHA256", description = "As token list shows it.") String sha256)
      throws DatabaseUnreachable {
    require(sha256.matches(SHA256), "SHA256 is 64 lower-case hex digits");
    byte[] digest = HexFormat.of().parseHex(sha256);
    return parent.onRegister(register -> register.revokeToken(digest));
  }

  private Set<Scope> scopes(List<String> wire) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String scope : wire) {
      Scope.of(scope).ifPresent(scopes::add);
      require(Scope.of(scope).isPresent(), "--scopes " + Readings.noScope(scope));
    }
    return scopes;
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(CommandLineOf.running(spec), otherwise + ".");
    }
  }
}
