import { Outlet } from 'react-router'
import { AdminFrame } from './admin-frame.tsx'

/** The frame of all admin pages except the print pages. */
export default function FramedLayout() {
  return (
    <AdminFrame>
      <Outlet />
    </AdminFrame>
  )
}
