/**
 * Parses a stylesheet into its rules and declarations, each with its enclosing rules; only as much as the tests need.
 */

/** `within`: the enclosing rules, outermost first. */
export type Piece = { within: readonly string[] } & ({ rule: string } | { property: string; value: string });

/** The position after a string or a pair of brackets that begins here. */
const endOfBlock = (css: string, from: number): number => {
  const [open] = css.slice(from, from + 1);
  const close = open === '(' ? ')' : open;
  for (let index = from + 1; index < css.length; index += 1) {
    if (css[index] === '\\') index += 1;
    else if (css[index] === close) return index + 1;
    else if (open === '(' && /["'(]/.test(css[index] ?? '')) index = endOfBlock(css, index) - 1;
  }
  return css.length;
};

export const piecesOf = (text: string): Piece[] => {
  const css = text.replace(/\/\*.*?\*\//gs, '');
  const pieces: Piece[] = [];
  const enclosing: string[] = [];
  let begin = 0;
  const take = (index: number): string => {
    const piece = css.slice(begin, index).trim();
    begin = index + 1;
    return piece;
  };
  const declare = (piece: string): void => {
    const colon = piece.indexOf(':');
    const within = [...enclosing];
    if (piece.startsWith('@')) pieces.push({ within, rule: piece });
    else if (colon > 0) {
      pieces.push({ within, property: piece.slice(0, colon).trim(), value: piece.slice(colon + 1).trim() });
    }
  };
  for (let index = 0; index < css.length; index += 1) {
    const sign = css[index] ?? '';
    if (/["'(]/.test(sign)) index = endOfBlock(css, index) - 1;
    else if (sign === '{') {
      const rule = take(index);
      pieces.push({ within: [...enclosing], rule });
      enclosing.push(rule);
    } else if (sign === ';') declare(take(index));
    else if (sign === '}') {
      declare(take(index));
      enclosing.pop();
    }
  }
  return pieces;
};
