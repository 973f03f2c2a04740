/** Functions of higher layers that are passed to the payments. */
import type { Session } from '../store/store.ts';

/** The subject of a call to notificationUrl. */
export type NotificationSubject = {
  id: string;
  entityId: string;
  resourcePath: string;
  paymentId?: string;
  at: number;
};

/** Records the call for this subject, if the request has a web address for it. */
export type AddNotification = (session: Session, url: string | undefined, of: NotificationSubject) => Promise<void>;
