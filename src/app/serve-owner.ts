/** The served till's socket for its owner's commands: in the folder that the till works on, also after it went live. */
import type { OwnerPort, OwnerStatus } from '../owner/api.ts';
import { type OwnerSocket, openOwnerSocket } from '../owner/socket.ts';
import type { Behind, Ground } from './serve-behind.ts';
import { underWay } from './serve-sales.ts';

export type ServedOwner = {
  /** Where the socket is now, or why there is none. */
  socket(): Pick<OwnerSocket, 'path' | 'why'>;
  /** Resolves when the owner has asked for the till's end. */
  stopAsked: Promise<void>;
  /** The till was opened anew: in another folder, once it went live. */
  follow(behind: Behind): Promise<void>;
  close(): Promise<void>;
};

type Parts = {
  ground: Ground;
  /** Undefined while the till is opened anew. */
  behind(): Behind | undefined;
  address: string;
};

export const serveOwner = async (parts: Parts, first: Behind): Promise<ServedOwner> => {
  const stop = Promise.withResolvers<void>();
  const service = ownerPortOver(parts, first, stop.resolve);
  const openIn = ({ dataDir }: Behind) => openOwnerSocket({ folder: dataDir, service, random: parts.ground.random });
  let folder = first.dataDir;
  let socket = await openIn(first);
  return {
    socket: () => socket,
    stopAsked: stop.promise,
    async follow(behind) {
      if (behind.dataDir === folder) return;
      folder = behind.dataDir;
      const before = socket;
      socket = await openIn(behind);
      await before.close();
    },
    close: () => socket.close(),
  };
};

const ownerPortOver = ({ ground, behind, address }: Parts, first: Behind, asked: () => void): OwnerPort => {
  let state: OwnerStatus['state'] = 'open';
  let { mode } = first.running;
  return {
    status() {
      const now = behind();
      mode = now?.running.mode ?? mode;
      const code = now && ground.sessions.startCode();
      return {
        ...{ version: ground.options.version, pid: process.pid, address, state },
        mode: ground.training ? 'training' : mode,
        ...(code !== undefined && { code }),
        underWay: now === undefined ? 0 : underWay(now.open.services.selling).length,
      };
    },
    stop() {
      state = 'stopping';
      asked();
    },
    listen: (hear) => ground.events.listen(() => hear()),
  };
};
