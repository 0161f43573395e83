-- Results of the weekly restore test (server/restore-test/). Only the process reads and writes them, as the owner.
comment on table private.restore_tests is 'What each restore test found. The newest row is a finding of the System page.';
comment on column private.restore_tests.backup is 'Name of the restored backup; null when none could be restored.';
comment on column private.restore_tests.problems is 'A sentence for the owner each; empty if the copy is complete.';
