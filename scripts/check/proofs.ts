import ts from 'typescript';

/** Where a test says that it proves a statement. */
export type Proof = { id: string; title: string; file: string };

const NOT_RUN = new Set(['skip', 'todo', 'fixme', 'fails']);

const isSkipped = (node: ts.Node): boolean => {
  if (!ts.isCallExpression(node)) return false;
  let callee: ts.Expression = node.expression;
  while (ts.isCallExpression(callee)) callee = callee.expression;
  return ts.isPropertyAccessExpression(callee) && NOT_RUN.has(callee.name.text);
};

const textOf = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : undefined;
};

const patternOf = (tag: string): RegExp => new RegExp(`\\[${tag} ([^\\]]+)\\]`, 'g');

/** Every id that a title names as `[tag id, id]`. */
export const idsIn = (tag: string, title: string): string[] =>
  [...title.matchAll(patternOf(tag))].flatMap(([, ids = '']) => ids.split(/[,\s]+/).filter(Boolean));

/**
 * The proofs named in a test file: every `[tag id, id]` in a title or in a row of a table of cases,
 * unless the test is skipped.
 */
export const findProofs = (tag: string, file: string, source: string): Proof[] => {
  const proofs: Proof[] = [];
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return;
    const text = textOf(node) ?? '';
    const title = text.replaceAll(patternOf(tag), '').trim();
    for (const id of idsIn(tag, text)) proofs.push({ id, title, file });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return proofs;
};
