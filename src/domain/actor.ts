/** The verified initiator of a flow or sender of a message to it, as the flow records it. */
export interface Actor {
  /** Claim `sub` of the actor's token: the issuer's opaque id of the actor. */
  subject: string;
  /** Claim `iss` of the token: an issuer that the workers trust. */
  issuer: string;
}

/** The actor of a cancellation that was requested from the Temporal server itself, not through the Update `cancel`. */
export const TEMPORAL_ACTOR: Actor = { subject: 'temporal', issuer: 'temporal' };

/** Type of the failure when the keys that verify a token cannot be fetched. Only then can a later attempt succeed. */
export const ISSUER_UNREACHABLE = 'IssuerUnreachableError';
