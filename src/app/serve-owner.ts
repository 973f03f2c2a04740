/** The served till's socket for its owner's commands: in the folder that the till works on, also after it went live. */
import type { OwnerPort, OwnerStatus } from '../owner/api.ts';
import { type OwnerSocket, openOwnerSocket } from '../owner/socket.ts';
import { type ServerContext, type TillInstance, underWay } from './till-instance.ts';

export type ServedOwner = {
  /** Where the socket is now, or why there is none. */
  socket(): Pick<OwnerSocket, 'path' | 'why'>;
  /** Resolves when the owner has asked for the till's end. */
  stopAsked: Promise<void>;
  /** The till was opened anew: in another folder, once it went live. */
  follow(instance: TillInstance): Promise<void>;
  close(): Promise<void>;
};

type Parts = {
  context: ServerContext;
  /** Undefined while the till is opened anew. */
  instance(): TillInstance | undefined;
  address: string;
};

export const serveOwner = async (parts: Parts, first: TillInstance): Promise<ServedOwner> => {
  const stop = Promise.withResolvers<void>();
  const service = ownerPortOver(parts, first, stop.resolve);
  const openIn = ({ dataDir }: TillInstance) =>
    openOwnerSocket({ folder: dataDir, service, random: parts.context.random });
  let folder = first.dataDir;
  let socket = await openIn(first);
  return {
    socket: () => socket,
    stopAsked: stop.promise,
    async follow(instance) {
      if (instance.dataDir === folder) return;
      folder = instance.dataDir;
      const before = socket;
      socket = await openIn(instance);
      await before.close();
    },
    close: () => socket.close(),
  };
};

const ownerPortOver = ({ context, instance, address }: Parts, first: TillInstance, asked: () => void): OwnerPort => {
  let state: OwnerStatus['state'] = 'open';
  let { mode } = first.running;
  return {
    status() {
      const now = instance();
      mode = now?.running.mode ?? mode;
      const code = now && context.sessions.startCode();
      return {
        version: context.options().version,
        pid: process.pid,
        address,
        state,
        mode: context.training ? 'training' : mode,
        code,
        underWay: now === undefined ? 0 : underWay(now.open.services.selling).length,
      };
    },
    stop() {
      state = 'stopping';
      asked();
    },
    listen: (hear) => context.events.listen(() => hear()),
  };
};
