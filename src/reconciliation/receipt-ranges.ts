/** Many receipt numbers as a short text, `1-57,60`: a till numbers its sales without gaps. */

/** Numbers in any order, each once or more often. Of none the text is empty. */
export const rangesOf = (receipts: Iterable<number>): string => {
  const ranges: { from: number; to: number }[] = [];
  for (const receipt of [...new Set(receipts)].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && receipt === last.to + 1) last.to = receipt;
    else ranges.push({ from: receipt, to: receipt });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
};

/** Whether a number is in one of these texts. Each is of the form that `rangesOf` gives. */
export const inRanges = (texts: readonly string[]): ((receipt: number) => boolean) => {
  const ranges = texts
    .flatMap((text) => text.split(','))
    .filter((range) => range !== '')
    .map((range) => {
      const [from = Number.NaN, to = from] = range.split('-').map(Number);
      return { from, to };
    });
  return (receipt) => ranges.some(({ from, to }) => from <= receipt && receipt <= to);
};
