/** The till's process with what Electron gives a utility process, over the channel of Node's fork. */
Object.assign(process, {
  parentPort: {
    postMessage: (message: unknown) => process.send?.(message),
    on: (name: 'message', listener: (message: { data: unknown }) => void) =>
      process.on(name, (data) => listener({ data })),
  },
});
// A driver in an endless loop.
process.on('SIGUSR2', () => {
  for (;;);
});
await import('../../electron/till-entry.ts');
