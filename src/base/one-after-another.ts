/** Work that is done one piece after another, in the order in which it was asked for. */

/** Returns a function that runs the work when all before it has ended, well or badly, and gives its outcome. */
export const oneAfterAnother = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
};
