/** The till's process under what Electron gives a utility process, over the channel of Node's fork. */
Object.assign(process, {
  parentPort: {
    postMessage: (message: unknown) => process.send?.(message),
    on: (name: 'message', hear: (message: { data: unknown }) => void) => process.on(name, (data) => hear({ data })),
  },
});
// A driver that turns in a circle.
process.on('SIGUSR2', () => {
  for (;;);
});
await import('../../electron/till-entry.ts');
