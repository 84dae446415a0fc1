import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { SealedValueError } from '../src/crypto/sealing';
import type { Actor } from '../src/domain/actor';
import { type MessageName, SCOPES, TOKEN_FIELD } from '../src/domain/messages';
import type { Sealed } from '../src/domain/sealed';
import { IdentityRefusedError } from '../src/identity/verifier';
import type { ActivityDeps } from './deps';

export function actorActivities({ opener, identities }: ActivityDeps) {
  return {
    /**
     * Verifies the token that came with a message to a flow.
     * @returns the sender; nothing else of the token is kept
     * @throws ApplicationFailure `IdentityRefused`; its message says what is wrong and what to do
     */
    async verifyActor({ flow, message, token }: { flow: string; message: MessageName; token: Sealed }): Promise<Actor> {
      try {
        return await identities.verify(await opener.open(token, { flow, field: TOKEN_FIELD }), SCOPES[message]);
      } catch (error) {
        if (!(error instanceof IdentityRefusedError || error instanceof SealedValueError)) throw error;
        throw ApplicationFailure.create({
          message: error.message,
          type: 'IdentityRefused',
          nonRetryable: true,
          category: ApplicationFailureCategory.BENIGN,
        });
      }
    },
  };
}
