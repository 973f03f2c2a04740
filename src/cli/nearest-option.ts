/** Options that a command and the command above it both have: the nearest that a person typed counts. */
import type { Command } from 'commander';

export const nearestFlag = (command: Command, name: string): unknown => {
  for (let at: Command | null = command; at !== null; at = at.parent) {
    if (at.getOptionValueSource(name) === 'cli') return at.getOptionValue(name);
  }
  return command.getOptionValue(name);
};

export const nearestText = (command: Command, name: string): string | undefined => {
  const value = nearestFlag(command, name);
  return typeof value === 'string' ? value : undefined;
};
