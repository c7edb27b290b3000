package com.memoryendpoints.gateway.k8s;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Manifests, each held strictly to the type that its apiVersion and kind name: an unknown field, a
 * field twice, and a number where a text belongs are errors, as they are to the API server.
 *
 * @param all every document, as the object of its type
 */
record Manifests(List<Object> all) {
  private static final Map<String, Class<?>> TYPES =
      Map.ofEntries(
          Map.entry("v1 Namespace", Namespace.class),
          Map.entry("v1 ServiceAccount", ServiceAccount.class),
          Map.entry("v1 ConfigMap", ConfigMap.class),
          Map.entry("v1 Service", Service.class),
          Map.entry("apps/v1 Deployment", Deployment.class),
          Map.entry("apps/v1 StatefulSet", StatefulSet.class),
          Map.entry("batch/v1 Job", Job.class),
          Map.entry("autoscaling/v2 HorizontalPodAutoscaler", HorizontalPodAutoscaler.class),
          Map.entry("policy/v1 PodDisruptionBudget", PodDisruptionBudget.class),
          Map.entry("networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class),
          Map.entry("monitoring.coreos.com/v1 ServiceMonitor", ServiceMonitor.class),
          Map.entry("monitoring.coreos.com/v1 PrometheusRule", PrometheusRule.class),
          Map.entry("postgresql.cnpg.io/v1 Cluster", CloudNativePg.class),
          Map.entry("kustomize.config.k8s.io/v1beta1 Kustomization", Kustomization.class),
          Map.entry("kustomize.config.k8s.io/v1alpha1 Component", Kustomization.class));

  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              text ->
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .annotationIntrospector(new NothingElse())
          .build();

  /** The types keep what they do not know in a map; here they must not. */
  private static final class NothingElse extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasAnySetter(Annotated a) {
      return Boolean.FALSE;
    }
  }

  /**
   * Reads the documents of a text.
   *
   * @throws IOException when one is not strictly of its type
   */
  static Manifests parse(String yaml) throws IOException {
    List<Object> all = new ArrayList<>();
    for (JsonNode document : documents(yaml)) {
      String type = document.path("apiVersion").asText() + " " + document.path("kind").asText();
      Class<?> known = TYPES.get(type);
      if (known == null) {
        throw new IOException("no type for " + type);
      }
      // That a patch deletes is no field of the type.
      ((ObjectNode) document).remove("$patch");
      all.add(STRICT.treeToValue(document, known));
    }
    return new Manifests(all);
  }

  /**
   * The documents of a text, of whatever type.
   *
   * @throws IOException when it is no YAML, or a field is there twice
   */
  static List<JsonNode> documents(String yaml) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    List<JsonNode> documents = new ArrayList<>();
    try {
      for (Object document : new Yaml(new SafeConstructor(options)).loadAll(yaml)) {
        documents.add(STRICT.valueToTree(document));
      }
    } catch (YAMLException e) {
      throw new IOException(e);
    }
    return documents;
  }

  /** Those of a type. */
  <T> Stream<T> of(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast);
  }

  /** The only one of a type. */
  <T> T the(Class<T> type) {
    List<T> found = of(type).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " of " + type.getSimpleName());
    }
    return found.get(0);
  }

  /** A cluster of the operator CloudNativePG, as far as it is used here. */
  record CloudNativePg(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
    record Spec(
        String imageName,
        int instances,
        String primaryUpdateStrategy,
        Bootstrap bootstrap,
        Postgresql postgresql,
        Affinity affinity,
        io.fabric8.kubernetes.api.model.ResourceRequirements resources,
        Storage storage) {}

    record Bootstrap(Initdb initdb) {}

    record Initdb(String database, String owner, boolean dataChecksums, List<String> postInitSQL) {}

    record Postgresql(Synchronous synchronous, Map<String, String> parameters) {}

    record Synchronous(String method, int number, String dataDurability, boolean failoverQuorum) {}

    record Affinity(
        boolean enablePodAntiAffinity, String topologyKey, String podAntiAffinityType) {}

    record Storage(String size) {}
  }

  /** A kustomization or a component, as far as it is used here. */
  record Kustomization(
      String apiVersion,
      String kind,
      String namespace,
      List<String> resources,
      List<String> components,
      List<Labels> labels,
      List<Generator> configMapGenerator,
      List<Image> images,
      List<Replicas> replicas,
      List<Patch> patches,
      List<Replacement> replacements) {

    Kustomization {
      resources = orEmpty(resources);
      components = orEmpty(components);
      labels = orEmpty(labels);
      configMapGenerator = orEmpty(configMapGenerator);
      images = orEmpty(images);
      replicas = orEmpty(replicas);
      patches = orEmpty(patches);
      replacements = orEmpty(replacements);
    }

    record Labels(Map<String, String> pairs) {}

    record Generator(
        String name,
        String behavior,
        List<String> envs,
        List<String> literals,
        List<String> files,
        Options options) {
      Generator {
        envs = orEmpty(envs);
        literals = orEmpty(literals);
        files = orEmpty(files);
      }
    }

    record Options(boolean disableNameSuffixHash, Map<String, String> labels) {}

    record Image(String name, String newTag) {}

    record Replicas(String name, int count) {}

    record Patch(String path, String patch) {}

    record Replacement(Source source, List<Target> targets) {}

    record Source(String kind, String name, String fieldPath) {}

    record Target(Selected select, List<String> fieldPaths) {}

    record Selected(String kind, String name) {}
  }

  private static <T> List<T> orEmpty(List<T> given) {
    return given == null ? List.of() : given;
  }
}
