import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What sections can do with the world that is shown. */
export interface WorldContext {
  /**
   * Calls a control, says in one line that it is done, and reads the world anew.
   * @throws ControlError
   */
  act: <Answer>(done: string, method: string, path: string, body?: object) => Promise<Answer>;
  /** Says what went wrong, in the same line. */
  complain: (error: Error) => void;
  /** Shows texts to be copied. */
  show: (result: Result) => void;
}

/** What a user's client would hand to its app. */
export interface Result {
  title: string;
  texts: { label: string; text: string }[];
}

export const World = createContext<WorldContext | undefined>(undefined);

export function useWorld(): WorldContext {
  const world = useContext(World);
  if (!world) throw new Error('There is no world here');
  return world;
}
