package com.memoryendpoints.gateway.cli;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.ConsoleAppender;
import com.memoryendpoints.gateway.auth.Register;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Readings;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.db.Schema;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code lease-gateway
 * [serve|migrate|anchor-epoch|rekey|import-legacy|audit-hash|config|tenant|token] [--config FILE]}.
 * What goes wrong is told in one text on standard error, without a stack trace.
 *
 * <p>Exit codes: 0 done; 2 the command line, the configuration or the data directory is wrong; 1
 * anything else.
 */
@Command(
    name = "lease-gateway",
    description = "Leases with fencing tokens on global agent names and memories.",
    versionProvider = CommandLineOf.Version.class,
    mixinStandardHelpOptions = true,
    subcommands = {ImportLegacy.class, AuditHash.class, TenantCommand.class, TokenCommand.class},
    footer = {
      "",
      "Without a command it serves; without a configuration it brings its own database.",
      "Exit codes: 0 done, 1 the gateway cannot go on (the log says why), 2 something that you set"
          + " has to change; 130 and 143 after Ctrl-C and SIGTERM."
    })
public final class CommandLineOf implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(CommandLineOf.class);

  /** Few enough digits for an {@code int}. */
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

  private static final int WAIT_SECONDS_MAX = 86_400;

  /** What {@code serve} does, which is {@code Main}'s to compose. */
  @FunctionalInterface
  public interface Serving {
    /**
     * Serves until the gateway ends.
     *
     * @return the exit code
     */
    int serve(Config config) throws InterruptedException;
  }

  private final Map<String, String> environment;
  private final Serving serving;

  @SuppressWarnings("NullAway.Init") // picocli sets it.
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "HOCON or JSON over the defaults; GATEWAY_... variables overlay both.")
  private @Nullable Path file;

  private CommandLineOf(Map<String, String> environment, Serving serving) {
    this.environment = environment;
    this.serving = serving;
  }

  /**
   * Runs what the arguments say, to its end.
   *
   * @return the exit code
   */
  public static int run(String[] arguments, Map<String, String> environment, Serving serving) {
    return new CommandLine(new CommandLineOf(environment, serving))
        .registerConverter(UUID.class, text -> read(Readings::uuid, text))
        .registerConverter(Integer.class, text -> read(CommandLineOf::number, text))
        .setExecutionStrategy(CommandLineOf::execute)
        .setExecutionExceptionHandler(CommandLineOf::told)
        .setParameterExceptionHandler(CommandLineOf::misused)
        .execute(arguments);
  }

  /** The result of every command but {@code serve} is what it prints: its log is kept apart. */
  private static int execute(ParseResult parsed) {
    ParseResult command = parsed.subcommand();
    if (command != null && !command.commandSpec().name().equals("serve")) {
      logToStandardError();
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private static void logToStandardError() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext log) {
      log.getLogger(Logger.ROOT_LOGGER_NAME)
          .iteratorForAppenders()
          .forEachRemaining(
              appender -> {
                if (appender instanceof ConsoleAppender<?> console) {
                  console.stop();
                  console.setTarget("System.err");
                  console.start();
                }
              });
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    return serve();
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Serve the API (also when no command is given).")
  int serve() throws InterruptedException {
    return serving.serve(config());
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Bring the database's schema up to this version, and end.")
  int migrate(
      @Option(
              names = "--wait",
              paramLabel = "SECONDS",
              defaultValue = "0",
              description =
                  "For how long to try again while the database does not answer, up to 86400;"
                      + " without it, once.")
          Integer waitSeconds)
      throws DatabaseUnreachable {
    if (waitSeconds < 0 || waitSeconds > WAIT_SECONDS_MAX) {
      throw new ParameterException(
          running(spec), "--wait must be from 0 to " + WAIT_SECONDS_MAX + " seconds.");
    }
    try (SystemOfRecord system = SystemOfRecord.find(config())) {
      int applied = Migration.await(system.config().database(), waitSeconds);
      System.out.println(
          "The schema of "
              + system.config().database().uri()
              + " is up to date; migrations applied now: "
              + applied
              + ".");
      return 0;
    }
  }

  @Command(
      name = "anchor-epoch",
      mixinStandardHelpOptions = true,
      description = {
        "Accept the cluster that the database is in now as the one to grant in, and end.",
        "Run it when the gateway says that the fencing epoch is anchored in another history:"
            + " after a restore into a new cluster, a dump, or a move. Stop every gateway on the"
            + " old cluster first."
      })
  int anchorEpoch() throws DatabaseUnreachable {
    try (SystemOfRecord system = SystemOfRecord.find(config())) {
      OptionalInt epoch = Schema.anchorEpoch(system.config().database());
      System.out.println(
          epoch.isPresent()
              ? "The fencing epoch is anchored here; it is " + epoch.getAsInt() + " now."
              : "The fencing epoch was anchored here already; nothing was changed.");
      return 0;
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Make the keys that look-alikes share anew by this version, and end.",
        "Run it when the gateway says that they were made by another version. Stop every gateway on"
            + " the database first. It is one transaction: cut off, it has changed nothing."
      })
  int rekey() throws DatabaseUnreachable {
    try (SystemOfRecord system = SystemOfRecord.find(config())) {
      Schema.migrate(system.config().database());
      long changed = Schema.rekey(system.config().database(), System.out::println);
      System.out.println("The name keys are of this version; keys changed now: " + changed + ".");
      return 0;
    }
  }

  @Command(
      name = "config",
      mixinStandardHelpOptions = true,
      description = {
        "Print the configuration as it is in effect, and end.",
        "It is JSON, which --config takes. Passwords and keys are masked, and of the digest of a"
            + " token only the beginning is shown. A configuration with faults is refused as by"
            + " every other command."
      })
  int printConfig() {
    System.out.println(Config.shown(file, environment));
    return 0;
  }

  /** What is done to tenants and tokens. */
  @FunctionalInterface
  interface Change {
    /** Does it. */
    void to(Register register) throws DatabaseUnreachable;
  }

  /**
   * Changes tenants and tokens, also beside a gateway that runs.
   *
   * @return the exit code
   */
  int onRegister(Change change) throws DatabaseUnreachable {
    return on(SystemOfRecord.find(config()), change);
  }

  /**
   * Lists tenants or tokens: as {@link #onRegister}, but makes no database to find nothing in.
   *
   * @return the exit code
   */
  int onExistingRegister(Change listing) throws DatabaseUnreachable {
    return on(SystemOfRecord.findExisting(config()), listing);
  }

  private static int on(SystemOfRecord found, Change change) throws DatabaseUnreachable {
    try (SystemOfRecord system = found) {
      change.to(new Register(system.config().database()));
      return 0;
    }
  }

  private static <T> T read(Function<String, T> reading, String text) {
    try {
      return reading.apply(text);
    } catch (IllegalArgumentException e) {
      TypeConversionException refused = new TypeConversionException(e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  /** Java's own reading takes the digits of every script, and a plus. */
  private static Integer number(String text) {
    if (!NUMBER.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number");
    }
    return Integer.valueOf(text);
  }

  /** The command that runs, of which a command that is a method knows only the parent. */
  static CommandLine running(CommandSpec parent) {
    ParseResult parsed = parent.commandLine().getParseResult();
    return parsed.hasSubcommand()
        ? parsed.subcommand().commandSpec().commandLine()
        : parent.commandLine();
  }

  /**
   * A name that can stand in an owner, and that can be seen.
   *
   * @throws ParameterException when it cannot
   */
  static String named(CommandSpec spec, String what, String text) {
    try {
      if (!text.isEmpty() && text.isBlank()) {
        throw new IllegalArgumentException("must not be blank");
      }
      return Readings.principal(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(running(spec), what + " " + e.getMessage() + ".", e);
    }
  }

  /** As the options and the environment say. */
  Config config() {
    return Config.load(file, environment);
  }

  private static int told(Exception e, CommandLine command, @Nullable ParseResult parsed) {
    if (e instanceof CannotStart reason) {
      System.err.println(reason.getMessage());
      LOG.debug("cannot start", e);
      return reason.exitCode();
    }
    if (e instanceof DatabaseUnreachable) {
      System.err.println(e.getMessage() + " Start it, or correct database.uri, and try again.");
      return 1;
    }
    LOG.error("a defect of the gateway ended it", e);
    System.err.println("A defect of the gateway ended it: " + e + ". The log has the details.");
    return 1;
  }

  private static int misused(ParameterException e, String[] arguments) {
    System.err.println(e.getMessage());
    e.getCommandLine().usage(System.err);
    return 2;
  }

  /** The version in the jar's manifest. */
  static String version() {
    String version = CommandLineOf.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }

  /** {@code --version}. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"lease-gateway " + version()};
    }
  }
}
