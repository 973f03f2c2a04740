/**
 * A real OpenSSH server for tests, with nothing but Debian's package `openssh-server`: a throw-away configuration, keys
 * and home, on 127.0.0.1 at a free port. Accepts only its own login key.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

export type TestSftp = {
  readonly port: number;
  readonly user: string;
  /** SHA256:… */
  readonly hostKey: string;
  readonly keyFile: string;
  /** A key that the server does not know. */
  readonly otherKeyFile: string;
  /** The folder for uploads, as a path on the machine and for the login. */
  readonly folder: string;
  remove(): void;
};

const SSHD = '/usr/sbin/sshd';

/** Throws with the name of Debian's package if it is missing, and with the server's message if it fails. */
export const startSftp = async (): Promise<TestSftp> => {
  if (!existsSync(SSHD)) throw new Error('OpenSSH’s server is not installed: apt-get install openssh-server');
  const home = mkdtempSync(join(tmpdir(), 'sftp-'));
  chmodSync(home, 0o700);
  const key = (name: string): string => {
    const file = join(home, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    return file;
  };
  const [hostFile, keyFile, otherKeyFile] = [key('host'), key('user'), key('other')];
  writeFileSync(join(home, 'authorized_keys'), readFileSync(`${keyFile}.pub`), { mode: 0o600 });
  const folder = join(home, 'in');
  mkdirSync(folder, { mode: 0o700 });
  const port = await freePort();
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostFile}`,
    `AuthorizedKeysFile ${join(home, 'authorized_keys')}`,
    `PidFile ${join(home, 'pid')}`,
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'UsePAM no',
    'MaxStartups 100',
    'Subsystem sftp internal-sftp',
  ];
  writeFileSync(join(home, 'config'), `${config.join('\n')}\n`);
  // As root it separates its privileges in this folder, which the system's own start creates.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const server = spawn(SSHD, ['-D', '-e', '-f', join(home, 'config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  await listening(server);
  const text = execFileSync('ssh-keygen', ['-l', '-f', `${hostFile}.pub`], { encoding: 'utf8' });
  return {
    ...{ port, keyFile, otherKeyFile, folder },
    user: userInfo().username,
    hostKey: text.split(' ')[1] ?? '',
    remove() {
      server.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    },
  };
};

const listening = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/Server listening/.test(output)) resolve();
    });
    server.once('exit', () => reject(new Error(`sshd did not start: ${output}`)));
    server.once('error', reject);
  });

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()));
    });
  });

export type CutLine = { readonly port: number; close(): void };

/** A line to the server that breaks after this many bytes were sent. */
export const cutLine = (to: number, afterBytes: number): Promise<CutLine> =>
  new Promise((resolve) => {
    const sockets = new Set<Socket>();
    const server: Server = createServer((incoming) => {
      const outgoing = connect(to, '127.0.0.1');
      let forwardedBytes = 0;
      for (const socket of [incoming, outgoing]) {
        sockets.add(socket);
        socket.on('error', () => {});
      }
      outgoing.pipe(incoming);
      incoming.on('data', (bytes: Buffer) => {
        forwardedBytes += bytes.length;
        if (forwardedBytes < afterBytes) outgoing.write(bytes);
        else {
          // Bytes written before continue; later ones are lost.
          outgoing.end();
          incoming.destroy();
        }
      });
      incoming.on('close', () => outgoing.end());
    });
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({
        port,
        close() {
          for (const socket of sockets) socket.destroy();
          server.close();
        },
      });
    });
  });
