import { findError } from '../src/api';
import type { ErrorKind } from '../src/domain/errorKind';

/** The meaning of an error code. The catalogue itself is not part of the workflow bundle. */
export interface CodeMeaning {
  name: string;
  kind: ErrorKind;
  remedy: string;
}

export function errorActivities() {
  return {
    /** Explains a code that is not the response to a request: of a failed challenge, or reported by the user's app. */
    async explainCode(code: number): Promise<CodeMeaning> {
      const { name, kind, remedy } = findError(code) ?? {
        name: 'UnknownCode',
        kind: 'refused' as const,
        remedy: "look up the code in the API's documentation",
      };
      return { name, kind, remedy };
    },
  };
}
