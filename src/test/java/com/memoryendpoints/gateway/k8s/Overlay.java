package com.memoryendpoints.gateway.k8s;

import static java.util.regex.Pattern.DOTALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is rendered, and what is in it. */
enum Overlay {
  DEV,
  PRODUCTION,
  /** As the README says to do it: one of one's own, with CloudNativePG. */
  MINE,
  /** The same with a subcommand, as the README says it. */
  MINE_COMMAND;

  private static final Map<Overlay, Manifests> RENDERED = new EnumMap<>(Overlay.class);

  /** What kustomize makes of it, as the API server would get it. */
  Manifests rendered() throws Exception {
    Manifests known = RENDERED.get(this);
    if (known == null) {
      known = render();
      RENDERED.put(this, known);
    }
    return known;
  }

  private Manifests render() throws Exception {
    Path directory =
        switch (this) {
          case DEV -> Path.of("k8s/overlays/dev");
          case PRODUCTION -> Path.of("k8s/overlays/production");
          case MINE -> inReadme("mine");
          case MINE_COMMAND -> {
            inReadme("mine");
            yield inReadme("mine-command");
          }
        };
    Kubectl.Run run = Kubectl.kustomize(directory);
    assertThat(run.exitCode()).as(run.out()).isZero();
    return Manifests.parse(run.out());
  }

  /** The README's own overlay of this name, in a place from which its paths lead as they should. */
  private static Path inReadme(String name) throws Exception {
    Matcher block =
        Pattern.compile(
                "`k8s/overlays/" + name + "/kustomization\\.yaml`:\n\n```yaml\n(.*?)```", DOTALL)
            .matcher(Files.readString(Path.of("README.md")));
    assertThat(block.find()).isTrue();
    Path directory = Files.createDirectories(Path.of("target/k8s", name));
    Files.writeString(
        directory.resolve("kustomization.yaml"),
        block
            .group(1)
            .replace("../../components", "../../../k8s/components")
            .replace("../production", "../../../k8s/overlays/production"));
    return directory;
  }

  /** The pods of the gateway. */
  static PodTemplateSpec gateway(Manifests all) {
    return all.the(Deployment.class).getSpec().getTemplate();
  }

  /** All pods that are described here. */
  static Stream<PodTemplateSpec> pods(Manifests all) {
    return Stream.of(
            Stream.of(gateway(all)),
            all.of(StatefulSet.class).map(set -> set.getSpec().getTemplate()),
            all.of(Job.class).map(job -> job.getSpec().getTemplate()))
        .flatMap(each -> each);
  }

  /** All containers of a pod. */
  static List<Container> containers(PodSpec pod) {
    return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream()).toList();
  }

  /** The variables of the gateway that are no secrets. */
  static Map<String, String> config(Manifests all) {
    return all.of(ConfigMap.class)
        .map(ConfigMap::getData)
        .filter(data -> data.containsKey("GATEWAY_HTTP_HOST"))
        .findAny()
        .orElseThrow();
  }
}
