/** Whether a process is running on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is running and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
