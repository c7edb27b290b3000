package com.memoryendpoints.gateway.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A Java file as the compiler's parser sees it; nothing is resolved. */
final class Unit {
  private final CompilationUnitTree tree;
  private final DocTrees docs;
  private final List<TreePath> declared = new ArrayList<>();
  private final List<LiteralTree> literals = new ArrayList<>();

  private Unit(CompilationUnitTree tree, DocTrees docs) {
    this.tree = tree;
    this.docs = docs;
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitClass(ClassTree node, Void unused) {
        declared.add(getCurrentPath());
        return super.visitClass(node, null);
      }

      @Override
      public Void visitMethod(MethodTree node, Void unused) {
        declared.add(getCurrentPath());
        return super.visitMethod(node, null);
      }

      @Override
      public Void visitVariable(VariableTree node, Void unused) {
        declared.add(getCurrentPath());
        return super.visitVariable(node, null);
      }

      @Override
      public Void visitLiteral(LiteralTree node, Void unused) {
        literals.add(node);
        return super.visitLiteral(node, null);
      }
    }.scan(tree, null);
  }

  /** Parses all these files by one compiler, and tells each what it is. */
  static void parse(List<Source> sources) {
    var task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(
                    null,
                    null,
                    null,
                    List.of("-proc:none"),
                    null,
                    sources.stream().map(Unit::file).toList());
    try {
      DocTrees docs = DocTrees.instance(task);
      Iterator<Source> source = sources.iterator();
      task.parse().forEach(tree -> source.next().is(new Unit(tree, docs)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JavaFileObject file(Source source) {
    return new SimpleJavaFileObject(
        URI.create("string:///" + source.path()), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source.text();
      }
    };
  }

  Stream<ClassTree> classes() {
    return paths(ClassTree.class).map(path -> (ClassTree) path.getLeaf());
  }

  Stream<MethodTree> methods() {
    return paths(MethodTree.class).map(path -> (MethodTree) path.getLeaf());
  }

  Stream<VariableTree> variables() {
    return paths(VariableTree.class).map(path -> (VariableTree) path.getLeaf());
  }

  /** Every string literal; a text block is one. */
  Stream<LiteralTree> strings() {
    return literals.stream().filter(literal -> literal.getKind() == Tree.Kind.STRING_LITERAL);
  }

  /** The names of an enum's constants, in order. */
  List<String> constants() {
    return variables()
        .filter(variable -> variable.getInitializer() instanceof NewClassTree)
        .filter(variable -> isConstant(variable.getName().toString()))
        .filter(variable -> String.valueOf(variable.getType()).equals(enumName()))
        .map(variable -> variable.getName().toString())
        .toList();
  }

  private String enumName() {
    return classes()
        .filter(type -> type.getKind() == Tree.Kind.ENUM)
        .map(type -> type.getSimpleName().toString())
        .findFirst()
        .orElse("");
  }

  private static boolean isConstant(String name) {
    return name.equals(name.toUpperCase(Locale.ROOT));
  }

  /** The types and methods that another package can name, each with its line and whether told. */
  Stream<Public> published() {
    return declared.stream()
        .filter(path -> !(path.getLeaf() instanceof VariableTree) && isPublic(path))
        .map(path -> new Public(name(path.getLeaf()), line(path.getLeaf()), isTold(path)));
  }

  record Public(String name, long line, boolean told) {}

  private boolean isTold(TreePath path) {
    String comment = docs.getDocComment(path);
    return comment != null && !comment.isBlank();
  }

  /** Public itself, or a member of an interface, and the same for all that encloses it. */
  private static boolean isPublic(TreePath path) {
    TreePath outer = path.getParentPath();
    boolean inType = outer.getLeaf() instanceof ClassTree;
    boolean top = outer.getLeaf() instanceof CompilationUnitTree;
    Set<Modifier> flags = modifiers(path.getLeaf()).getFlags();
    boolean open =
        flags.contains(Modifier.PUBLIC)
            || (inType
                && outer.getLeaf().getKind() == Tree.Kind.INTERFACE
                && !flags.contains(Modifier.PRIVATE));
    return open && (top || (inType && isPublic(outer))) && !needsNoWords(path.getLeaf());
  }

  private static boolean needsNoWords(Tree leaf) {
    return leaf instanceof MethodTree method
        && (isOverride(method) || (method.getParameters().isEmpty() && isConstructor(method)));
  }

  static boolean isConstructor(MethodTree method) {
    return method.getReturnType() == null;
  }

  static boolean isOverride(MethodTree method) {
    return isAnnotated(method, "Override");
  }

  static boolean isAnnotated(MethodTree method, String annotation) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(each -> each.getAnnotationType().toString().equals(annotation));
  }

  private static ModifiersTree modifiers(Tree leaf) {
    return leaf instanceof ClassTree type
        ? type.getModifiers()
        : ((MethodTree) leaf).getModifiers();
  }

  private static String name(Tree leaf) {
    return leaf instanceof ClassTree type
        ? type.getSimpleName().toString()
        : ((MethodTree) leaf).getName().toString();
  }

  long line(Tree node) {
    return lineAt(docs.getSourcePositions().getStartPosition(tree, node));
  }

  long lineCount(Tree node) {
    return 1 + lineAt(docs.getSourcePositions().getEndPosition(tree, node)) - line(node);
  }

  /** What the compiler itself added, an empty constructor, has no position. */
  private long lineAt(long position) {
    return position < 0 ? 1 : tree.getLineMap().getLineNumber(position);
  }

  private Stream<TreePath> paths(Class<? extends Tree> kind) {
    return declared.stream().filter(path -> kind.isInstance(path.getLeaf()));
  }
}
