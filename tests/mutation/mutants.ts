import ts from 'typescript';

/** One change of a module: this stretch of its text becomes another. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly becomes: string;
  /** Of the change, from 1. */
  readonly line: number;
  readonly was: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
};

/** Calls that are taken out of a chain: `text.trim()` becomes `text`. */
const DROPPED_CALLS = [
  'trim',
  'toLowerCase',
  'toUpperCase',
  'slice',
  'filter',
  'replace',
  'replaceAll',
  'sort',
];

type Change = readonly [node: ts.Node, becomes: string];

function changesOf(node: ts.Node): Change[] {
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken;
    return (OPERATORS[operator.getText()] ?? []).map((becomes) => [operator, becomes]);
  }
  if (ts.isIfStatement(node)) return ['true', 'false'].map((becomes) => [node.expression, becomes]);
  if (ts.isConditionalExpression(node)) return ['true', 'false'].map((becomes) => [node.condition, becomes]);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [[node, node.operand.getText()]];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, 'false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[node, 'true']];
  if (ts.isNumericLiteral(node)) return [[node, `(${node.getText()} + 1)`]];
  if (ts.isStringLiteral(node)) return [[node, node.text === '' ? "'mutant'" : "''"]];
  if (ts.isRegularExpressionLiteral(node)) return [[node, '/(?!)/g']];
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return [[node, '[]']];
  if (ts.isExpressionStatement(node)) return [[node, ';']];
  if (ts.isReturnStatement(node) && node.expression) return [[node.expression, '(undefined as never)']];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    return DROPPED_CALLS.includes(name.text) ? [[node, expression.getText()]] : [];
  }
  return [];
}

/** Types say nothing at run time; a loop's head could make it endless. */
const isLeftAlone = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node);

const isLoopHead = (node: ts.Node): boolean => {
  const { parent } = node;
  if (ts.isForStatement(parent)) return node !== parent.statement;
  return (ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && node === parent.expression;
};

/** Every change of a module, from its top to its end. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node) || isLoopHead(node)) return;
    for (const [changed, becomes] of changesOf(node)) {
      const [start, end] = [changed.getStart(), changed.getEnd()];
      const line = tree.getLineAndCharacterOfPosition(start).line + 1;
      mutants.push({ start, end, becomes, line, was: source.slice(start, end) });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(tree, visit);
  return mutants;
}

export const mutate = (source: string, { start, end, becomes }: Mutant): string =>
  source.slice(0, start) + becomes + source.slice(end);
