/** The verified sender of a message to a flow, as the flow records it. */
export interface Actor {
  /** Claim `sub` of the sender's token: the issuer's opaque id of the sender. */
  subject: string;
  /** Claim `iss` of the token: an issuer that the workers trust. */
  issuer: string;
}

/** The actor of a cancellation that was requested from the Temporal server itself, not through the Update `cancel`. */
export const TEMPORAL_ACTOR: Actor = { subject: 'temporal', issuer: 'temporal' };
