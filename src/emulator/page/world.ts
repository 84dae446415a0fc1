import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Actions of the sections on the selected world. */
export interface WorldContext {
  /**
   * Calls a control, shows `doneMessage` in the status line, and refreshes the overview.
   * @throws ControlError
   */
  runControl: <ResponseBody>(doneMessage: string, method: string, path: string, body?: object) => Promise<ResponseBody>;
  /** Shows an error in the status line. */
  showError: (error: Error) => void;
  /** Shows strings that the user can copy. */
  show: (result: CopyableResult) => void;
}

/** Values that a user's client would pass to its app. */
export interface CopyableResult {
  title: string;
  texts: { label: string; text: string }[];
}

export const World = createContext<WorldContext | undefined>(undefined);

export function useWorld(): WorldContext {
  const world = useContext(World);
  if (!world) throw new Error('useWorld is called outside of World.Provider');
  return world;
}
