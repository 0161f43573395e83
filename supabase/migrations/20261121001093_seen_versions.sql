-- A save names the version it has seen; photos had none. (The app's update carries `updated_at=eq.…`: no row, then somebody was first.)
alter table public.gallery_submissions add column updated_at timestamptz not null default now();
create trigger touch_updated_at before update on public.gallery_submissions
  for each row execute function private.touch_updated_at();
