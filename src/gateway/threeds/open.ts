/** The 3-D Secure of a whole gateway: the acquirer with authentication before it, and every page that belongs to it. */
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/ids.ts';
import type { Acquirer, AcquirerMemory } from '../acquirers/acquirer.ts';
import type { Channel } from '../channel.ts';
import type { Vault } from '../vault/vault.ts';
import { authenticating } from './authenticating.ts';
import { threeDSecurePages } from './pages.ts';
import type { ThreeDsPage } from './paths.ts';
import { simulatedDirectoryServer } from './simulated-access-control-server.ts';
import { simulatedIssuerPages } from './simulated-issuer-pages.ts';

export type ThreeDSecureOptions = {
  acquirer: Acquirer;
  memory: AcquirerMemory;
  vault: Vault;
  clock: Clock;
  random: Random;
  channels: readonly Channel[];
  /** Looks at a payment whose cardholder has answered. */
  decided: (id: string) => Promise<void>;
  report: (error: unknown) => void;
};

/** It stands before every payment, with channels that want it or without: what waits, waits over a change of them. */
export const openThreeDSecure = (
  options: ThreeDSecureOptions,
): { acquirer: Acquirer; pages: readonly ThreeDsPage[] } => {
  const { memory, random, channels, decided } = options;
  const settings = new Map(channels.map(({ entityId, threeDSecure }) => [entityId, threeDSecure]));
  const authentication = authenticating({
    ...options,
    directory: simulatedDirectoryServer({ memory, random }),
    settingsOf: (entityId) => settings.get(entityId),
  });
  return {
    acquirer: authentication,
    pages: [...threeDSecurePages({ authentication, decided }), ...simulatedIssuerPages({ memory, random, decided })],
  };
};
