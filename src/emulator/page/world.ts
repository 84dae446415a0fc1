import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** What sections can do with the world that is shown. */
export interface WorldContext {
  /**
   * Calls a control, says how it went in one line, and reads the world anew.
   * @returns the answer, or undefined when it was refused
   */
  act: <Answer>(done: string, method: string, path: string, body?: object) => Promise<Answer | undefined>;
}

export const World = createContext<WorldContext | undefined>(undefined);

export function useWorld(): WorldContext {
  const world = useContext(World);
  if (!world) throw new Error('There is no world here');
  return world;
}
