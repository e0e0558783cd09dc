import ts from 'typescript';

/** A test that says it proves a statement. A conditional one is skipped on a machine that lacks something. */
export type Proof = { id: string; title: string; file: string; isConditional: boolean };

const SKIPPING_METHODS = new Set(['skip', 'todo', 'fixme', 'fails']);
const CONDITIONAL_METHODS = new Set(['skipIf', 'runIf']);

const textOf = (node: ts.Node | undefined): string | undefined => {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : undefined;
};

const isFunction = (node: ts.Node): boolean => ts.isArrowFunction(node) || ts.isFunctionExpression(node);

const calleeOf = ({ expression }: ts.CallExpression): ts.Expression =>
  ts.isCallExpression(expression) ? calleeOf(expression) : expression;

/** The name of the method that is called: `skip` in `test.skip('…')('…')`. */
const methodOf = (node: ts.CallExpression): string => {
  const callee = calleeOf(node);
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
};

const isSkipped = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && SKIPPING_METHODS.has(methodOf(node));

const declaresTest = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && textOf(node.arguments[0]) !== undefined && node.arguments.some(isFunction);

/** Whether a test calls `skip('…')` or `context.skip()` while it runs. */
const skipsItself = (node: ts.Node): boolean => {
  if (declaresTest(node)) return false;
  if (ts.isCallExpression(node)) {
    const { expression } = node;
    const name = ts.isIdentifier(expression) ? expression.text : methodOf(node);
    if (name === 'skip') return true;
  }
  return ts.forEachChild(node, skipsItself) ?? false;
};

const mayBeSkipped = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  (CONDITIONAL_METHODS.has(methodOf(node)) || (declaresTest(node) && node.arguments.some(skipsItself)));

const patternOf = (tag: string): RegExp => new RegExp(`\\[${tag} ([^\\]]+)\\]`, 'g');

/** Every id that a title names as `[tag id, id]`. */
export const idsIn = (tag: string, title: string): string[] =>
  [...title.matchAll(patternOf(tag))].flatMap(([, ids = '']) => ids.split(/[,\s]+/).filter(Boolean));

/**
 * Finds the proofs in a test file: every `[tag id, id]` in a title or in a row of a table of cases, unless the test is
 * skipped.
 */
export const findProofs = (tag: string, file: string, source: string): Proof[] => {
  const proofs: Proof[] = [];
  const visit = (node: ts.Node, isInConditional: boolean): void => {
    if (isSkipped(node)) return;
    const isConditional = isInConditional || mayBeSkipped(node);
    const text = textOf(node) ?? '';
    const title = text.replaceAll(patternOf(tag), '').trim();
    for (const id of idsIn(tag, text)) proofs.push({ id, title, file, isConditional });
    ts.forEachChild(node, (child) => visit(child, isConditional));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), false);
  return proofs;
};
