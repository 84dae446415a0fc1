import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { SealedValueError } from '../src/crypto/sealing';
import { type MessageName, SCOPES, TOKEN_FIELD } from '../src/domain/messages';
import type { Person } from '../src/domain/person';
import type { Sealed } from '../src/domain/sealed';
import { IdentityRefused } from '../src/identity/verifier';
import type { ActivityDeps } from './deps';

export function peopleActivities({ opener, identities }: ActivityDeps) {
  return {
    /**
     * Who sends a message to a flow, by the token that came with it; nothing of the token stays.
     * @throws ApplicationFailure `IdentityRefused`, whose message says what is wrong and what to do
     */
    async verifyPerson({
      flow,
      message,
      token,
    }: {
      flow: string;
      message: MessageName;
      token: Sealed;
    }): Promise<Person> {
      try {
        return await identities.verify(await opener.open(token, { flow, field: TOKEN_FIELD }), SCOPES[message]);
      } catch (error) {
        if (!(error instanceof IdentityRefused || error instanceof SealedValueError)) throw error;
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
