import { findError } from '../src/api';
import type { ErrorKind } from '../src/domain/errorKind';

/** What a code of the API means; the catalogue's prose stays out of workflows. */
export interface CodeMeaning {
  name: string;
  kind: ErrorKind;
  remedy: string;
}

export function errorActivities() {
  return {
    /** Of a code that did not come as the answer to a request: of a challenge that failed, or from the user's app. */
    async explainCode(code: number): Promise<CodeMeaning> {
      const { name, kind, remedy } = findError(code) ?? {
        name: 'UnknownCode',
        kind: 'refused' as const,
        remedy: "look the code up in the API's documentation",
      };
      return { name, kind, remedy };
    },
  };
}
