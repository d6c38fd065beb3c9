/** Whether a mail was sent, and until when a function is at it. */
export type Delivery = {
  mailRecord: string;
  /** Milliseconds since 1970. */
  leasedUntil?: number;
  leasedBy: string;
  sentAt?: string;
  expiresAt: number;
};

/** The agent board has a message about a mail. */
export type Notice = { mailRecord: string; expiresAt: number };
