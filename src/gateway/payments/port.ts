/** What the payments need of rooms above them, which is handed in. */
import type { Session } from '../store/store.ts';

/** What a call of notificationUrl tells of. */
export type Notified = { id: string; entityId: string; resourcePath: string; paymentId?: string; at: number };

/** Puts down the call that tells of this, where the request has an address of the web for it. */
export type AddNotification = (session: Session, url: string | undefined, of: Notified) => Promise<void>;
