package com.memoryendpoints.gateway.db;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A way to a server that can be shut, or go silent as when a cable is pulled, or lose what the
 * server answers.
 */
public final class Gate implements AutoCloseable {
  private enum Mode {
    OPEN,
    SHUT,
    MUTE,
    SILENT
  }

  private final Vertx vertx = Vertx.vertx();
  private final NetClient client = vertx.createNetClient();
  private final NetServer server;
  private final int target;
  private final Set<NetSocket> sockets = new HashSet<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private volatile Mode mode = Mode.OPEN;

  /** A way, open at first, to a port of this machine. */
  public Gate(int target) {
    this.target = target;
    this.server =
        Loop.await(vertx.createNetServer().connectHandler(this::accept).listen(0, "127.0.0.1"));
  }

  /** Where callers knock. */
  public int port() {
    return server.actualPort();
  }

  /** How many connections have come. */
  int accepted() {
    return accepted.get();
  }

  /** How many connections are open on the side of the callers. */
  synchronized int sockets() {
    return sockets.size();
  }

  /** Lets through what comes from now on. */
  public void open() {
    mode = Mode.OPEN;
  }

  /** Closes every connection, and those that come. */
  public synchronized void shut() {
    mode = Mode.SHUT;
    Set.copyOf(sockets).forEach(NetSocket::close);
  }

  /** Lets through what callers say, and nothing of what they are answered. */
  public void mute() {
    mode = Mode.MUTE;
  }

  /** Keeps connections, accepts others, and says no more on any of them. */
  void silence() {
    mode = Mode.SILENT;
  }

  private synchronized void accept(NetSocket caller) {
    accepted.incrementAndGet();
    if (mode == Mode.SHUT) {
      caller.close();
      return;
    }
    sockets.add(caller);
    caller.pause();
    Future<NetSocket> connected = client.connect(target, "127.0.0.1");
    connected.onFailure(unreachable -> caller.close());
    connected.onSuccess(
        behind -> {
          relay(caller, behind, Mode.SILENT);
          relay(behind, caller, Mode.MUTE);
          caller.resume();
        });
    caller.closeHandler(
        closed -> {
          forget(caller);
          connected.onSuccess(NetSocket::close);
        });
  }

  private synchronized void forget(NetSocket caller) {
    sockets.remove(caller);
  }

  /** Passes on what comes, in every mode before the first in which it does not. */
  private void relay(NetSocket from, NetSocket to, Mode lost) {
    from.handler(
        bytes -> {
          if (mode.compareTo(lost) < 0) {
            to.write(bytes);
          }
        });
    from.endHandler(
        end -> {
          if (mode != Mode.SILENT) {
            to.close();
          }
        });
  }

  @Override
  public void close() {
    Loop.await(vertx.close());
  }
}
